import { cellOf, columnsOf } from './row-cells';

const time = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/;

/**
 * Points of a line chart. `column` is the first column with numbers, and `timeColumn` is the first column with times.
 */
export interface Line {
  readonly column: string;
  readonly timeColumn: string;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly figures: readonly number[];
}

/**
 * Returns undefined if a third column has different values, because the line would then connect rows about different
 * things.
 */
export function lineOfRows(rows: readonly unknown[]): Line | undefined {
  const columns = columnsOf(rows);
  const find = (matches: (cell: unknown) => boolean): string | undefined =>
    columns.find((name) => rows.every((row) => matches(cellOf(row, name))));
  const timeColumn = find((cell) => typeof cell === 'string' && time.test(cell) && Number.isFinite(Date.parse(cell)));
  const column = find((cell) => Number.isFinite(cell));
  if (timeColumn === undefined || column === undefined || rows.length < 2) return undefined;
  const others = columns.filter((name) => name !== timeColumn && name !== column);
  const isOneThing = others.every((name) => new Set(rows.map((row) => JSON.stringify(cellOf(row, name)))).size === 1);
  if (!isOneThing) return undefined;
  const points = rows
    .map((row) => [Date.parse(cellOf(row, timeColumn) as string) / 1000, cellOf(row, column) as number] as const)
    .sort(([one], [other]) => one - other);
  return { column, timeColumn, times: points.map(([at]) => at), figures: points.map(([, figure]) => figure) };
}
