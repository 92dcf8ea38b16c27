/** Small libraries that code calls for each element of a document. */
const eager = new Set(['#fault', '#limits']);

/**
 * The imports of a source file that are loaded when they are first used, which makes programs and tests start sooner: packages,
 * other libraries, and what an index re-exports.
 */
exports.lazyImports = (path, text) => {
  const sources = [...text.matchAll(/ from '([^']+)';/g)].map(([, source]) => source);
  const isIndex = path.endsWith('/index.ts');
  return sources.filter((source) => (isIndex || !source.startsWith('.')) && !eager.has(source));
};
