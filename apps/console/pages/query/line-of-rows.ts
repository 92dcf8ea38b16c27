import { cellOf, columnsOf } from './row-cells';

const time = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/;

/** A line through the rows of a query: the first column of numbers over the first column of times. */
export interface Line {
  readonly column: string;
  readonly timeColumn: string;
  /** In seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly figures: readonly number[];
}

/**
 * Returns the line of at least two rows. Returns undefined if a column of times or of numbers is missing, or if another column has
 * several values, because a line would then connect rows of different things.
 */
export function lineOfRows(rows: readonly unknown[]): Line | undefined {
  const columns = columnsOf(rows);
  const find = (matches: (cell: unknown) => boolean): string | undefined =>
    columns.find((name) => rows.every((row) => matches(cellOf(row, name))));
  const timeColumn = find((cell) => typeof cell === 'string' && time.test(cell));
  const column = find((cell) => typeof cell === 'number');
  if (timeColumn === undefined || column === undefined || rows.length < 2) return undefined;
  const others = columns.filter((name) => name !== timeColumn && name !== column);
  const isOneThing = others.every((name) => new Set(rows.map((row) => JSON.stringify(cellOf(row, name)))).size === 1);
  if (!isOneThing) return undefined;
  const points = rows
    .map((row) => [Date.parse(cellOf(row, timeColumn) as string) / 1000, cellOf(row, column) as number] as const)
    .sort(([one], [other]) => one - other);
  return { column, timeColumn, times: points.map(([at]) => at), figures: points.map(([, figure]) => figure) };
}
