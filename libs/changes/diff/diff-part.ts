import { type Fragment, sql } from '#query';
import type { Side } from './side';
import type { ValueChange } from './value-changes';

/** A part in which two states of nodes, or two runs, can differ. */
export interface DiffPart<Row = unknown, Compared = Side> {
  readonly name: string;
  /** Description of the part for the OpenAPI document. */
  readonly summary: string;
  /**
   * Returns the SQL that finds the differences in this part. The last of the `ctes`, `differing`, has a row for each
   * fact, resource or other item that differs. `shown` converts a row to a JSON list, `order` sorts the rows, and
   * `size` is the number of bytes in a row.
   */
  readonly statement: (a: Compared, b: Compared) => PartStatement;
  /** Reads a row. */
  readonly read: (row: DiffColumns) => Row;
  /** Returns the items of a row for the answer, as JSON texts. */
  readonly items: (row: Row) => readonly string[];
  /** Returns the changes that a JSON Patch makes to the document of this part. */
  readonly patch: (rows: readonly Row[]) => readonly ValueChange[];
  /** Returns lines of text for people. After blanks, each line begins with `+`, `-` or `~`. */
  readonly lines: (row: Row) => readonly string[];
}

/**
 * The columns of a row in `differing`. Documents are JSON texts, because many of them are put into the answer
 * unchanged.
 */
export type DiffColumns = readonly (string | boolean | null | readonly string[])[];

export interface PartStatement {
  readonly ctes: Fragment;
  readonly shown: Fragment;
  readonly order: Fragment;
  readonly size: Fragment;
}

/** Returns SQL that selects the rows as JSON. A row with more than `most` bytes becomes an empty text. */
export const boundedRows = ({ ctes, shown, order, size }: PartStatement, most: Fragment): Fragment =>
  sql`WITH ${ctes} SELECT CASE WHEN ${size} <= ${most} THEN ${shown}::text ELSE '' END AS row FROM differing ORDER BY ${order}`;
