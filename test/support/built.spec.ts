import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyStale } from './built';

const root = join(__dirname, '../..');
let project: string;

/** A project of two files, built with this repository's script. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'nodeledger-built-'));
  for (const folder of ['apps', 'libs', 'migrations', 'tools']) mkdirSync(join(project, folder));
  write('libs/one.ts', 'export const one = 1;\n');
  write('libs/two.ts', `import { one } from './one';\nexport const two = one + one;\n`);
  write('libs/two.spec.ts', 'export {};\n');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const write = (path: string, text: string): void => writeFileSync(join(project, path), text);
const build = (): unknown => execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: project });

test('programs are refused until they are those of the sources', () => {
  expect(whyStale(project)).toBe('dist is missing: run npm run build');
  build();
  expect(whyStale(project)).toBeUndefined();
});

test('times of files mean nothing: a checkout sets them, and a build leaves alone what has not changed', () => {
  const later = new Date(Date.now() + 3_600_000);
  utimesSync(join(project, 'libs/one.ts'), later, later);
  expect(whyStale(project)).toBeUndefined();
});

test('a source that was changed, even within the same moment, is named until it is built', () => {
  write('libs/two.ts', `import { one } from './one';\nexport const two = one + 1;\n`);
  const past = new Date(Date.now() - 3_600_000);
  utimesSync(join(project, 'libs/two.ts'), past, past);
  expect(whyStale(project)).toBe('dist is older than libs/two.ts: run npm run build');
  build();
  expect(whyStale(project)).toBeUndefined();
});

test('a source that is new, and one that is gone, are named; a spec and the helpers of tests are no sources', () => {
  write('libs/two.spec.ts', 'export const changed = true;\n');
  mkdirSync(join(project, 'libs/log/testing'), { recursive: true });
  write('libs/log/testing/helper.ts', 'export const helper = 1;\n');
  expect(whyStale(project)).toBeUndefined();
  build();
  expect(existsSync(join(project, 'dist/libs/log'))).toBe(false);
  write('libs/three.ts', 'export const three = 3;\n');
  expect(whyStale(project)).toBe('dist is older than libs/three.ts: run npm run build');
  rmSync(join(project, 'libs/three.ts'));
  rmSync(join(project, 'libs/two.ts'));
  expect(whyStale(project)).toBe('dist still has libs/two.ts, which is gone: run npm run build');
});

test('the build removes what was made of a source that is gone, and compiles only what has changed', () => {
  const output = (name: string): string => join(project, 'dist/libs', name);
  const past = new Date(Date.now() - 3_600_000);
  build();
  expect(whyStale(project)).toBeUndefined();
  expect([output('two.js'), output('two.js.map'), output('one.js')].map(existsSync)).toEqual([false, false, true]);
  utimesSync(output('one.js'), past, past);
  write('libs/four.ts', 'export const four = 4;\n');
  build();
  expect(existsSync(output('four.js'))).toBe(true);
  expect(statSync(output('one.js')).mtime).toEqual(past);
});

test('a source that cannot be compiled fails the build, and the programs are refused', () => {
  write('libs/five.ts', 'export const five = ;\n');
  expect(build).toThrow(/libs\/five\.ts/);
  expect(whyStale(project)).toBe('dist is missing: run npm run build');
  write('libs/five.ts', 'export const five = 5;\n');
  build();
  expect(whyStale(project)).toBeUndefined();
});
