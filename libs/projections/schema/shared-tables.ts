import type { SharedKey, SharedTableName } from './read-table';
import { allTables, ownTables } from './read-tables';

export type { SharedTableName };

/** A table whose rows belong to no node: they count while a row of another table refers to them. */
export interface SharedTable extends SharedKey {
  readonly name: SharedTableName;
  /** The tables with a column for its key. */
  readonly usedBy: readonly string[];
}

const described: readonly SharedTable[] = allTables.flatMap(({ name, shared }) =>
  shared === undefined ? [] : [{ ...shared, name, usedBy: usersOf(name) }],
);

function usersOf(name: SharedTableName): string[] {
  return ownTables.filter(({ refersTo = [] }) => refersTo.includes(name)).map((table) => table.name);
}

/** In the order of a collection: it may end early, and looking for listed rows takes longest. */
export const sharedTables: readonly SharedTable[] = [
  ...described.filter(({ listedIn }) => listedIn === undefined),
  ...described.filter(({ listedIn }) => listedIn !== undefined),
];
