import { fits, MalformedName, ObjectName } from './object-name';

const name = (text: string): ObjectName => ObjectName.parse(text);

test.each([
  ['a:b=c', 'a:b=c'],
  ['a:z=1,b=2', 'a:b=2,z=1'],
  ['java.lang:*,type=GarbageCollector', 'java.lang:type=GarbageCollector,*'],
  ['a:b="x,y=z",c=d', 'a:b="x,y=z",c=d'],
  ['a:b=', 'a:b='],
  [':b=c', ':b=c'],
  ['**:b=***', '*:b=*'],
])('%s is the same as %s', (text, canonical) => {
  expect(String(name(text))).toBe(canonical);
});

// The messages are the same as from PuppetDB.
test.each([
  ['nope', 'Invalid object name. Key properties cannot be empty'],
  ['a:', 'Invalid object name. Key properties cannot be empty'],
  ['a:b', 'Invalid object name. Unterminated key property part'],
  ['a:b=c,', 'Invalid object name. Invalid ending comma'],
  ['a:b=c,b=d', "Invalid object name. key `b' already defined"],
  ['a:=c', 'Invalid object name. Invalid key (empty)'],
])('%s is refused', (text, message) => {
  expect(() => name(text)).toThrow(new MalformedName(message));
});

test.each([
  ['a.mq:name=global.*', 'a.mq:name=global.seen', true],
  ['a.mq:name=global.*', 'a.mq:name=replace facts.5.seen', false],
  ['*:name=*.seen', 'a.mq:name=replace facts.5.seen', true],
  ['*:*', 'a:b=c,d=e', true],
  ['a:b=c', 'a:b=c,d=e', false],
  ['a:b=c,*', 'a:b=c,d=e', true],
  ['a:b=?', 'a:b=c', true],
  ['a:b=?', 'a:b=cc', false],
  ['a:b=*a*b*', 'a:b=xxayybzz', true],
  ['a:b=*a*b*', 'a:b=xxbyyazz', false],
  ['a:b=*', 'a:c=d', false],
  ['a?:b=*', 'ab:b=', true],
])('%s and %s: %s', (pattern, text, expected) => {
  expect(name(pattern).matches(name(text))).toBe(expected);
});

test('a name without wildcards is no pattern', () => {
  expect([
    name('a:b=c').isPattern,
    name('a:b=*').isPattern,
    name('a:b=c,*').isPattern,
    name('a?:b=c').isPattern,
  ]).toEqual([false, true, true, true]);
});

test('matching takes the time that our own name needs, however long the pattern is', () => {
  const long = name(`*:name=${'*a'.repeat(300_000)}`);
  const found = name(`a:name=${'a'.repeat(100)}b`);
  let steps = 0;
  // The most expensive pattern whose length is not refused.
  const text = 'a'.repeat(100);
  const slow = `${'*a'.repeat(99)}*b`;
  const startedAt = performance.now();
  for (; steps < 2_000; steps++) {
    long.matches(found);
    fits(slow, text);
  }
  expect(long.matches(found)).toBe(false);
  expect(fits(slow, text)).toBe(false);
  // The limit is far more than 4,000 matches take, and far less than a single match takes with backtracking.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
