/**
 * The keys are made from content. So two replays make equal tables, even if they apply the records of different nodes
 * in another order. `content` and `report` are sixteen bytes of a SHA-1, and the other keys are eight bytes. `{schema}`
 * and `{collation}` must never come from a request.
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
import { type Column, columnsOf } from './columns-of';
import { hasPast, historyBase, historyDdl } from './past';
import type { OwnTable, ReadTable } from './read-table';

export const projectionVersion = 10;

/**
 * The tables of each part of a batch. The rows of a node are deleted part by part in this order, and in each part from
 * the last table to the first.
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

/**
 * Returns the columns that rows of the table must have, or only the columns `names`. All columns are in the order of the
 * definition. Rows are made with their cells in this order.
 */
export function tableColumns(table: string, names?: readonly string[]): readonly Column[] {
  const columns = definedColumns.get(table) ?? [];
  return names === undefined ? columns : names.map((name) => columns.find((column) => column.name === name)!);
}

const definedColumns = new Map(allTables.map((table) => [table.name, columnsOf(table)]));

export const documentTables = ownTables.filter(
  (table): table is OwnTable & Required<Pick<OwnTable, 'documentsOf'>> => table.documentsOf !== undefined,
);

export const readTables = [...allTables.map(({ ddl }) => ddl), historyBase, ...ownTables.map(historyDdl)].join('');

export const tablesWithPast = ownTables.filter(hasPast);

/** Tables that belong to the past, but are not made from another table. */
export const tablesOfPast = ownTables.filter(({ belongsToPast }) => belongsToPast);

/** Returns the tables in the order in which their rows are deleted. */
export const tablesDeletedBy = (column: 'node' | 'report'): OwnTable[] =>
  Object.values(tablesByPart)
    .flatMap((tables) => tables.filter(isOwn).reverse())
    .filter(({ deletedBy }) => deletedBy.includes(column));
