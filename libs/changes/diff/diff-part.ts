import { type AstJson, type Fragment, sql } from '#query';
import type { Side } from './side';
import type { ValueChange } from './value-changes';

/** A part in which two states of nodes, or two runs, can differ. */
export interface DiffPart<Row = unknown, Compared = Side> {
  readonly name: string;
  /** What the part compares, for the description of the interface. */
  readonly summary: string;
  /**
   * Returns CTEs that end with `differing`, which has the rows that differ. `shown`: the JSON of a row of `differing`. `order`: their order.
   * `size`: the characters of a row.
   */
  readonly statement: (a: Compared, b: Compared) => PartStatement;
  /** Reads a row. */
  readonly read: (row: readonly AstJson[]) => Row;
  /** Returns the items of the answer. */
  readonly items: (row: Row) => readonly AstJson[];
  /** Returns the changes of the document of the part: what a JSON Patch consists of. */
  readonly patch: (rows: readonly Row[]) => readonly ValueChange[];
  /** Returns lines for people. The first character of a line, after blanks, is `+`, `-` or `~`. */
  readonly lines: (row: Row) => readonly string[];
}

export interface PartStatement {
  readonly ctes: Fragment;
  readonly shown: Fragment;
  readonly order: Fragment;
  readonly size: Fragment;
}

/** Makes a statement of one row: the characters of the rows, and the rows if they have at most `most` characters. */
export const boundedRows = ({ ctes, shown, order, size }: PartStatement, most: Fragment): Fragment =>
  sql`WITH ${ctes}, measured AS (SELECT coalesce(sum(${size}), 0) AS characters FROM differing)
    SELECT json_build_object('characters', characters, 'rows', CASE WHEN characters <= ${most} THEN
      (SELECT coalesce(json_agg(${shown} ORDER BY ${order}), '[]') FROM differing) END)::text AS row FROM measured`;
