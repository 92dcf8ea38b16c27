import { pastName } from './past';
import type { OwnTable, SharedKey, SharedTableName } from './read-table';
import { allTables, ownTables, tablesOfPast, tablesWithPast } from './read-tables';

export type { SharedTableName };

export interface SharedTable extends SharedKey {
  readonly name: SharedTableName;
  /** The tables with a column for the key of this shared table. */
  readonly usedBy: readonly string[];
  readonly usedByPast: readonly string[];
}

const described: readonly SharedTable[] = allTables.flatMap(({ name, shared }) =>
  shared === undefined
    ? []
    : [
        {
          ...shared,
          name,
          usedBy: usersOf(ownTables, name).filter((table) => !tablesOfPast.some((ofPast) => ofPast.name === table)),
          usedByPast: [...usersOf(tablesWithPast, name).map(pastName), ...usersOf(tablesOfPast, name)],
        },
      ],
);

function usersOf(tables: readonly OwnTable[], name: SharedTableName): string[] {
  return tables.filter(({ refersTo = [] }) => refersTo.includes(name)).map((table) => table.name);
}

/**
 * In the order in which unused rows are collected. Tables whose keys are in arrays come last, because their search
 * takes longest and a collection can end early.
 */
export const sharedTables: readonly SharedTable[] = [
  ...described.filter(({ listedIn }) => listedIn === undefined),
  ...described.filter(({ listedIn }) => listedIn !== undefined),
];
