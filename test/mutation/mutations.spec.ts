import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { equivalents } from './equivalent';
import { mutated, mutationsOf } from './mutations';
import { targets } from './targets';

const root = join(__dirname, '../..');
const all = (text: string): string[] => mutationsOf('x.ts', text).map((mutation) => mutated(text, mutation));

test.each([
  ['const f = () => a < b;', ['const f = () => a <= b;']],
  ['const f = () => a === b;', ['const f = () => a !== b;']],
  ['const f = () => a && b;', ['const f = () => a || b;']],
  ['const f = () => !a;', ['const f = () => a;']],
  ['const f = () => Math.min(a, b);', ['const f = () => Math.max(a, b);']],
  ['const f = () => as.some(b);', ['const f = () => as.every(b);']],
  ['const f = () => a ? b : c;', ['const f = () => a ? (c) : (b);']],
  ['const f = () => a + 1;', ['const f = () => a - 1;', 'const f = () => a + 2;']],
  ['const f = () => true;', ['const f = () => false;']],
  ['async () => { await a(b); }', ['async () => { ; }']],
  ['() => { a = b; }', ['() => { ; }']],
  ['() => { if (a) return; }', ['() => { if (false) return; }']],
  ['a ??= b;', ['a = b;']],
])('%s', (text, expected) => {
  expect(all(text)).toEqual(expected);
});

test.each([
  "import { a } from 'a';",
  'interface A { b: 1 }',
  'type A = true;',
  'const size = 12 << 20;',
  "const f = () => 'a' + b;",
  'const f = () => { throw new Fault(a ? b : c, !d); };',
])('nothing is changed in %s', (text) => {
  expect(all(text)).toEqual([]);
});

test('sources and specs exist', () => {
  for (const { source, specs } of targets) {
    for (const path of [source, ...specs]) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
  }
});

test('each mutation that is said to change nothing is still one that can be made', () => {
  for (const { source, line, what, reason } of equivalents) {
    const found = mutationsOf(source, readFileSync(join(root, source), 'utf8'));
    const known = found.some((one) => one.lineText === line && one.what === what);
    expect([source, line, what, known]).toEqual([source, line, what, true]);
    expect(reason.length).toBeGreaterThan(20);
  }
});
