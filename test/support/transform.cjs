/** Compiles sources for Jest as scripts/build.mjs does for programs. Types are checked by `npm run typecheck`. */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');
const { transformSync, version } = require('@swc/core');
const { lazyImports } = require('../../scripts/lazy-imports.cjs');

const root = join(__dirname, '../..');
const swc = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
const own = [__filename, join(root, 'scripts/lazy-imports.cjs'), join(root, '.swcrc')]
  .map((file) => readFileSync(file, 'utf8'))
  .join('\0');

/** Node.js does not run TypeScript in threads, so threads run the built programs (`npm run build`). */
const withBuiltThreads = (text, path) =>
  text.replace(/join\(__dirname, ('[a-z-]+-worker\.js')\)/g, (_, program) => {
    const folder = join(root, 'dist', relative(root, dirname(path)));
    return `join(${JSON.stringify(folder)}, ${program})`;
  });

exports.process = (text, path) => {
  const module = { ...swc.module, lazy: lazyImports(path, text) };
  return transformSync(withBuiltThreads(text, path), {
    ...swc,
    module,
    swcrc: false,
    filename: path,
    sourceMaps: 'inline',
  });
};

exports.getCacheKey = (text, path) =>
  createHash('sha256').update([own, version, path, text].join('\0')).digest('hex').slice(0, 32);
