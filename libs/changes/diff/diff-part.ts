import { type Fragment, sql } from '#query';
import type { Side } from './side';
import type { ValueChange } from './value-changes';

/** A part in which two states of nodes, or two runs, can differ. */
export interface DiffPart<Row = unknown, Compared = Side> {
  readonly name: string;
  /** Description of the part for the OpenAPI document. */
  readonly summary: string;
  /**
   * Returns CTEs that end with `differing`, which contains the differing rows. `shown` is a JSON list of the texts and
   * booleans of a row of `differing`, `order` sorts the rows, and `size` is the number of bytes of a row.
   */
  readonly statement: (a: Compared, b: Compared) => PartStatement;
  /** Reads a row. */
  readonly read: (row: DiffColumns) => Row;
  /** Returns the items of the answer, as JSON texts. */
  readonly items: (row: Row) => readonly string[];
  /** Returns the changes for a JSON Patch of the document of this part. */
  readonly patch: (rows: readonly Row[]) => readonly ValueChange[];
  /** Returns lines for people. The first character of a line, after blanks, is `+`, `-` or `~`. */
  readonly lines: (row: Row) => readonly string[];
}

/** The columns of a differing row. Documents are JSON texts, because many of them go into the answer unchanged. */
export type DiffColumns = readonly (string | boolean | null | readonly string[])[];

export interface PartStatement {
  readonly ctes: Fragment;
  readonly shown: Fragment;
  readonly order: Fragment;
  readonly size: Fragment;
}

/** Selects the rows as JSON. A row of more than `most` bytes becomes empty. */
export const boundedRows = ({ ctes, shown, order, size }: PartStatement, most: Fragment): Fragment =>
  sql`WITH ${ctes} SELECT CASE WHEN ${size} <= ${most} THEN ${shown}::text ELSE '' END AS row FROM differing ORDER BY ${order}`;
