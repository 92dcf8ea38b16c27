/**
 * The read tables of one generation. `{schema}` and `{collation}` are filled in by the generation's maker from its own
 * names, never from a request. Keys: `node` is the first eight bytes of SHA-1(certname), `fact`, `path`, `environment`
 * and `producer` likewise of their content, `content` and `report` sixteen bytes of a SHA-1, so that two replays give
 * equal tables whatever the order between nodes. `log_partition`, `log_offset`: the record that a row came from.
 */
import { catalogTables } from '../catalogs/tables';
import { factTables } from '../facts/tables';
import { inputTables } from '../inputs/tables';
import { nameTables } from '../names/tables';
import { nodeTables } from '../nodes/tables';
import { packageTables } from '../packages/tables';
import { partitionTables } from '../partitions/tables';
import { reportTables } from '../reports/tables';
import type { OwnTable, ReadTable } from './read-table';

export const projectionVersion = 7;

/**
 * The tables of each part of a batch (`batch-parts.ts`). A node's rows are deleted part by part in this order, in each part from the last
 * table to the first.
 */
export const tablesByPart = {
  names: nameTables,
  facts: factTables,
  packages: packageTables,
  inputs: inputTables,
  catalogs: catalogTables,
  reports: reportTables,
  nodes: nodeTables,
  partitions: partitionTables,
};

export const allTables: readonly ReadTable[] = Object.values(tablesByPart).flat();

const isOwn = (table: ReadTable): table is OwnTable => table.shared === undefined;
export const ownTables: readonly OwnTable[] = allTables.filter(isOwn);

/** The tables whose rows were each made from one record. */
export const documentTables = ownTables.filter(
  (table): table is OwnTable & Required<Pick<OwnTable, 'documentsOf'>> => table.documentsOf !== undefined,
);

/** The statements that make the tables. */
export const readTables = allTables.map(({ ddl }) => ddl).join('');

/** The tables whose rows are deleted with their node, or with their report, in the order in which that is done. */
export const tablesDeletedBy = (column: 'node' | 'report'): OwnTable[] =>
  Object.values(tablesByPart)
    .flatMap((tables) => tables.filter(isOwn).reverse())
    .filter(({ deletedBy }) => deletedBy.includes(column));
