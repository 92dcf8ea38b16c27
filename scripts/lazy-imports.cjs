/**
 * Libraries that are loaded at once. Code calls them for each element of a document, so a lazy import would cost too
 * much.
 */
const eager = new Set(['#fault', '#limits']);

/**
 * Returns the imports of a source file that are loaded at their first use, which makes programs and tests start sooner.
 * These are packages, other libraries, and the files that an index re-exports.
 */
exports.lazyImports = (path, text) => {
  const sources = [...text.matchAll(/ from '([^']+)';/g)].map(([, source]) => source);
  const isIndex = path.endsWith('/index.ts');
  return sources.filter((source) => (isIndex || !source.startsWith('.')) && !eager.has(source));
};
