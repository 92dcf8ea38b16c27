/** The names of scripts and styles contain a hash of their content, so that browsers can cache these files for ever. */
import { createRequire } from 'node:module';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const load = createRequire(import.meta.url);
const entries = { first: 'first.ts', main: 'main.tsx', style: 'styles/index.css', icon: 'styles/icon.svg' };

export async function buildConsole(project, dist) {
  const { build } = load('esbuild');
  const source = join(project, 'apps/console');
  const target = join(dist, 'apps/console');
  await rm(target, { recursive: true, force: true });
  const options = {
    bundle: true,
    minify: true,
    write: true,
    metafile: true,
    charset: 'utf8',
    target: 'es2022',
    outdir: join(target, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'file' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'linked',
    logLevel: 'warning',
  };
  const input = (name) => join(source, entries[name]);
  const results = await Promise.all([
    build({ ...options, format: 'esm', splitting: true, entryPoints: [input('main'), input('style')] }),
    // `first.ts` becomes a classic script, because a module would run after the first paint, and the page would visibly
    // change its colours.
    build({ ...options, format: 'iife', entryPoints: [input('first')] }),
    build({ ...options, loader: { '.svg': 'copy' }, entryPoints: [input('icon')] }),
  ]);
  const names = {};
  for (const { metafile } of results)
    for (const [path, { entryPoint }] of Object.entries(metafile.outputs))
      for (const [name, file] of Object.entries(entries))
        if (entryPoint?.endsWith(`apps/console/${file}`)) names[name] = `assets/${basename(path)}`;
  const page = await readFile(join(source, 'index.html'), 'utf8');
  await mkdir(target, { recursive: true });
  await writeFile(
    join(target, 'index.html'),
    page.replace(/\{\{(\w+)\}\}/g, (_, name) => names[name] ?? fail(name)),
  );
}

function fail(name) {
  throw new Error(`the build of the console made no file for ${name}`);
}
