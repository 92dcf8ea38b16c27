import type { Json } from './json-tree';

export const sortedPairs = (pairs: string[][]): Json[] =>
  sortedBy([...new Map(pairs.map((pair) => [pair.join('\0'), pair])).values()], (pair) => pair.join('\0'));

export const sortedBy = <T extends Json>(values: readonly T[], key: (value: T) => string): T[] =>
  values
    .map((value) => ({ value, key: key(value) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ value }) => value);
