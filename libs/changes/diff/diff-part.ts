import { type Fragment, sql } from '#query';
import type { Side } from './side';
import type { ValueChange } from './value-changes';

export interface DiffPart<Row = unknown, Compared = Side> {
  readonly name: string;
  readonly summary: string;
  /**
   * Returns the SQL that finds the differences in this part. The last CTE, `differing`, has a row for each item that
   * differs. `shown` converts a row to a JSON list, `order` sorts the rows, and `size` is the number of bytes in a row.
   */
  readonly statement: (a: Compared, b: Compared) => PartStatement;
  readonly read: (row: DiffColumns) => Row;
  /**
   * Converts a row to JSON texts, one for each difference. Returns texts instead of values, because the answer contains
   * some of the stored JSON unchanged.
   */
  readonly items: (row: Row) => readonly string[];
  readonly patch: (rows: readonly Row[]) => readonly ValueChange[];
  /** Returns lines of text for people. After indentation, each line begins with `+`, `-` or `~`. */
  readonly lines: (row: Row) => readonly string[];
}

/** The columns of a row in `differing`. Stored JSON remains text, because the answer contains much of it unchanged. */
export type DiffColumns = readonly (string | boolean | null | readonly string[])[];

export interface PartStatement {
  readonly ctes: Fragment;
  readonly shown: Fragment;
  readonly order: Fragment;
  readonly size: Fragment;
}

/**
 * Returns SQL that selects the rows as JSON. If a row has more than `most` bytes, the SQL selects an empty text
 * instead.
 */
export const boundedRows = ({ ctes, shown, order, size }: PartStatement, most: Fragment): Fragment =>
  sql`WITH ${ctes} SELECT CASE WHEN ${size} <= ${most} THEN ${shown}::text ELSE '' END AS row FROM differing ORDER BY ${order}`;
