import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyStale } from './built';

const root = join(__dirname, '../..');
let project: string;

/** A project of two files, built with this repository's compiler. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'nodeledger-built-'));
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  for (const folder of ['apps', 'libs', 'migrations']) mkdirSync(join(project, folder));
  write('libs/one.ts', 'export const one = 1;\n');
  write('libs/two.ts', `import { one } from './one';\nexport const two = one + one;\n`);
  write('libs/two.spec.ts', 'export {};\n');
  const compilerOptions = { outDir: 'dist', rootDir: '.', incremental: true, module: 'node16', types: [] };
  write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: { ...compilerOptions, tsBuildInfoFile: 'dist/build.tsbuildinfo' },
      include: ['apps', 'libs', 'migrations'],
      exclude: ['**/*.spec.ts'],
    }),
  );
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const write = (path: string, text: string): void => writeFileSync(join(project, path), text);
const build = (): unknown =>
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'], {
    cwd: project,
  });

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

test('a source that is new, and one that is gone, are named; a spec is no source', () => {
  write('libs/two.spec.ts', 'export const changed = true;\n');
  expect(whyStale(project)).toBeUndefined();
  write('libs/three.ts', 'export const three = 3;\n');
  expect(whyStale(project)).toBe('dist is older than libs/three.ts: run npm run build');
  rmSync(join(project, 'libs/three.ts'));
  rmSync(join(project, 'libs/two.ts'));
  expect(whyStale(project)).toBe('dist still has libs/two.ts, which is gone: run npm run build');
});
