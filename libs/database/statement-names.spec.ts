import { StatementNames } from './statement-names';

test('a statement gets a name when it is asked for the second time, and keeps it', () => {
  const names = new StatementNames(1_000, () => 0);
  expect(names.nameOf('SELECT 1')).toBeUndefined();
  const name = names.nameOf('SELECT 1');
  expect(name).toBeDefined();
  expect(names.nameOf('SELECT 2')).toBeUndefined();
  expect(names.nameOf('SELECT 1')).toBe(name);
  expect(names.nameOf('SELECT 2')).not.toBe(name);
});

test('each period makes fifty names, and the ones that were not used for longest are forgotten', () => {
  let now = 0;
  const names = new StatementNames(1_000, () => now);
  const ask = (text: string): string | undefined => names.nameOf(text) ?? names.nameOf(text);
  const first = ask('first');
  const second = ask('second');
  const made = new Set(Array.from({ length: 48 }, (_, index) => ask(`other ${index}`)));
  expect(made.size).toBe(48);
  expect(ask('too many')).toBeUndefined();
  expect(names.nameOf('first')).toBe(first);
  now = 1_000;
  expect(ask('too many')).toBeDefined();
  expect(names.nameOf('first')).toBe(first);
  expect(names.nameOf('second')).toBeUndefined();
  expect(ask('second')).not.toBe(second);
});

test('a name is never given to two texts', () => {
  let now = 0;
  const names = new StatementNames(1, () => now++);
  const given = new Map<string, string>();
  for (let index = 0; index < 1_000; index++) {
    const text = `SELECT ${index % 300}`;
    const name = names.nameOf(text) ?? names.nameOf(text);
    if (name === undefined) continue;
    expect(given.get(name) ?? text).toBe(text);
    given.set(name, text);
  }
  expect(given.size).toBeGreaterThan(300);
});

test('a long statement gets none', () => {
  const names = new StatementNames(1_000, () => 0);
  const text = `SELECT '${'x'.repeat(20_000)}'`;
  expect([names.nameOf(text), names.nameOf(text), names.nameOf(text)]).toEqual([undefined, undefined, undefined]);
});
