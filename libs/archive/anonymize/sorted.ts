import type { Json } from './json-tree';

const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sorts lists of texts in the order of canonical documents. */
export const sortedPairs = (pairs: string[][]): Json[] =>
  [...new Map(pairs.map((pair) => [pair.join('\0'), pair]))].sort(([a], [b]) => byUnits(a, b)).map(([, pair]) => pair);

/** Sorts values by their keys. */
export const sortedBy = <T extends Json>(values: readonly T[], key: (value: T) => string): T[] =>
  values
    .map((value) => ({ value, key: key(value) }))
    .sort((a, b) => byUnits(a.key, b.key))
    .map(({ value }) => value);
