/**
 * The read tables of one generation. The values of `{schema}` and `{collation}` come from the creator of the
 * generation, never from a request. The keys are made from content, so two replays make equal tables, whatever the
 * order of the records of different nodes. `node` is the first eight bytes of SHA-1(certname). `fact`, `path`,
 * `environment` and `producer` are made in the same way. `content` and `report` are sixteen bytes of a SHA-1.
 * `log_partition` and `log_offset` are the position of the record of a row.
 */
import { catalogTables } from '../catalogs/tables';
import { factTables } from '../facts/tables';
import { inputTables } from '../inputs/tables';
import { nameTables } from '../names/tables';
import { nodeTables } from '../nodes/tables';
import { packageTables } from '../packages/tables';
import { maintenanceTables } from '../maintenance/tables';
import { reportTables } from '../reports/tables';
import { timelineTables } from '../timeline/tables';
import { hasPast, historyBase, historyDdl } from './past';
import type { OwnTable, ReadTable } from './read-table';

export const projectionVersion = 10;

/**
 * The tables of each part of a batch (`batch-parts.ts`). The rows of a node are deleted part by part in this order, and
 * in each part from the last table to the first.
 */
export const tablesByPart = {
  names: nameTables,
  facts: factTables,
  packages: packageTables,
  inputs: inputTables,
  catalogs: catalogTables,
  reports: reportTables,
  nodes: nodeTables,
  maintenance: maintenanceTables,
  timeline: timelineTables,
};

export const allTables: readonly ReadTable[] = Object.values(tablesByPart).flat();

const isOwn = (table: ReadTable): table is OwnTable => table.shared === undefined;
export const ownTables: readonly OwnTable[] = allTables.filter(isOwn);

/** The tables in which each row was made from one record. */
export const documentTables = ownTables.filter(
  (table): table is OwnTable & Required<Pick<OwnTable, 'documentsOf'>> => table.documentsOf !== undefined,
);

/** The statements that create the tables. */
export const readTables = [...allTables.map(({ ddl }) => ddl), historyBase, ...ownTables.map(historyDdl)].join('');

/** The tables that keep earlier versions of their rows. */
export const tablesWithPast = ownTables.filter(hasPast);

/** Other tables that belong to the past. Their rows are written only if the tables keep their past. */
export const tablesOfPast = ownTables.filter(({ belongsToPast }) => belongsToPast);

/** Returns the tables whose rows are deleted with their node or report, in the order of deletion. */
export const tablesDeletedBy = (column: 'node' | 'report'): OwnTable[] =>
  Object.values(tablesByPart)
    .flatMap((tables) => tables.filter(isOwn).reverse())
    .filter(({ deletedBy }) => deletedBy.includes(column));
