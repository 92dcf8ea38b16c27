/**
 * Libraries that are loaded at the start. Code calls them for each element of a document, and each call of a lazily
 * imported function costs time.
 */
const eager = new Set(['#fault', '#limits']);

/**
 * Returns the imports that are loaded only at their first use, so that programs and tests start sooner: packages, other
 * libraries, and the files that an index re-exports.
 */
exports.lazyImports = (path, text) => {
  const sources = [...text.matchAll(/ from '([^']+)';/g)].map(([, source]) => source);
  const isIndex = path.endsWith('/index.ts');
  return sources.filter((source) => (isIndex || !source.startsWith('.')) && !eager.has(source));
};
