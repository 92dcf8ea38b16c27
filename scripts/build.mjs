/**
 * Compiles apps, libs, migrations and tools to `dist` with SWC, without checking types. Compiles only sources that have
 * changed: `dist/build.json` contains the digests of the sources from which `dist` was built.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './build-console.mjs';
import { lazyImports } from './lazy-imports.cjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const project = process.cwd();
const dist = join(project, 'dist');
const notesFile = join(dist, 'build.json');
const folders = ['apps', 'libs', 'migrations', 'tools'];
const load = createRequire(import.meta.url);

const digestOf = (text) => createHash('sha256').update(text).digest('hex');
/** Matches files that only tests use. Jest compiles them itself, and the npm package does not contain them. */
const testFolders = /(^|\/)testing\//;
const isConsole = (path) => path.startsWith('apps/console/');
const isSource = (path) =>
  path.endsWith('.ts') && !/\.(spec|d)\.ts$/.test(path) && !testFolders.test(path) && !isConsole(path);
/** esbuild compiles these files, not SWC. */
const isConsoleSource = (path) => /\.(tsx?|css|html|svg)$/.test(path) && !path.endsWith('.spec.ts');
const outputOf = (path) => path.replace(/\.ts$/, '.js');

async function readNotes() {
  try {
    return JSON.parse(await readFile(notesFile, 'utf8'));
  } catch {
    return undefined;
  }
}

async function readSources() {
  const paths = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(project, folder), { recursive: true });
      return names.map((name) => `${folder}/${name}`).filter(isSource);
    }),
  );
  return Promise.all(
    paths.flat().map(async (path) => {
      const text = await readFile(join(project, path), 'utf8');
      return { path, text, digest: digestOf(text) };
    }),
  );
}

async function compile(sources, options) {
  const { transform } = load('@swc/core');
  for (const folder of new Set(sources.map(({ path }) => dirname(join(dist, path)))))
    await mkdir(folder, { recursive: true });
  await Promise.all(
    sources.map(async ({ path, text }) => {
      const output = join(dist, outputOf(path));
      const sourceFileName = relative(dirname(output), join(project, path));
      const module = { ...options.module, lazy: lazyImports(path, text) };
      const { code, map } = await transform(text, { ...options, module, swcrc: false, filename: path, sourceFileName });
      await writeFile(output, `${code}//# sourceMappingURL=${basename(output)}.map\n`);
      await writeFile(`${output}.map`, map);
    }),
  );
}

/**
 * The files of Swagger UI that the page /docs/api needs. These 2 MB are copied, so that the npm package of Swagger UI
 * (13 MB) need not be installed with nodeledger.
 */
const viewer = join(dist, 'apps/server/api/viewer');
const viewerFiles = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'];
const viewerPackage = load.resolve('swagger-ui-dist/package.json');

async function copyViewer() {
  await mkdir(viewer, { recursive: true });
  for (const name of viewerFiles) await copyFile(join(dirname(viewerPackage), name), join(viewer, name));
}

async function readConsoleDigest() {
  const names = (await readdir(join(project, 'apps/console'), { recursive: true })).filter(isConsoleSource).sort();
  const files = [...names.map((name) => join(project, 'apps/console', name)), join(root, 'scripts/build-console.mjs')];
  // The file can be missing, because a test builds a copy of the sources without a lock file.
  const lock = await readFile(join(project, 'package-lock.json'), 'utf8').catch(() => '');
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return digestOf([...names, lock, ...texts].map(digestOf).join());
}

const [notes, sources, consoleDigest, swcrc, own, lazy, swc, swagger] = await Promise.all([
  readNotes(),
  readSources(),
  existsSync(join(project, 'apps/console')) ? readConsoleDigest() : undefined,
  readFile(join(root, '.swcrc'), 'utf8'),
  readFile(fileURLToPath(import.meta.url), 'utf8'),
  readFile(join(root, 'scripts/lazy-imports.cjs'), 'utf8'),
  readFile(load.resolve('@swc/core/package.json'), 'utf8'),
  readFile(viewerPackage, 'utf8'),
]);
const compiler = digestOf(`${swcrc}\n${own}\n${lazy}\n${JSON.parse(swc).version}\n${JSON.parse(swagger).version}`);
const usable = notes?.compiler === compiler;
// If the compiler has changed or `dist/build.json` is missing, `dist` can contain files whose source no longer exists.
if (!usable) await rm(dist, { recursive: true, force: true });
if (viewerFiles.some((name) => !existsSync(join(viewer, name)))) await copyViewer();
const built = new Map(usable ? Object.entries(notes.sources) : []);
const changed = sources.filter(({ path, digest }) => {
  const same = built.get(path) === digest && existsSync(join(dist, outputOf(path)));
  built.delete(path);
  return !same;
});
const isConsoleChanged =
  consoleDigest !== undefined &&
  !(usable && notes.console === consoleDigest && existsSync(join(dist, 'apps/console/index.html')));
if (changed.length > 0 || built.size > 0 || isConsoleChanged) {
  // Removes `dist/build.json` first, because a build that fails leaves a mixture of old and new files in `dist`.
  await rm(notesFile, { force: true });
  if (changed.length > 100) process.stderr.write(`compiling ${changed.length} files…\n`);
  for (const path of built.keys()) {
    for (const end of ['', '.map']) await rm(join(dist, outputOf(path) + end), { force: true });
  }
  try {
    await Promise.all([compile(changed, JSON.parse(swcrc)), isConsoleChanged && buildConsole(project, dist)]);
  } catch (error) {
    process.stderr.write(`${error.message.split('\n\nCaused by')[0].trimEnd()}\n`);
    process.exit(1);
  }
  const made = {
    compiler,
    console: consoleDigest,
    sources: Object.fromEntries(sources.map(({ path, digest }) => [path, digest])),
  };
  await writeFile(`${notesFile}.new`, JSON.stringify(made));
  await rename(`${notesFile}.new`, notesFile);
}
