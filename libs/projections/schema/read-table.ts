export type ReadTable = OwnTable | SharedDefinition;

/** A table whose rows belong to a node, a report or a partition. */
export interface OwnTable {
  readonly name: string;
  /** Statements with the placeholders `{schema}` and `{collation}`. */
  readonly ddl: string;
  readonly deletedBy: readonly ('node' | 'report')[];
  readonly ageLimit?: 'reports' | 'events';
  /**
   * Name of a command. Each row was made from a record of this command, and contains the position of the record.
   * Snapshots of the log and archives keep this record.
   */
  readonly documentsOf?: string;
  /**
   * The shared tables to which the rows refer. For each of them, this table has an indexed column with the same name as
   * the key of the shared table.
   */
  readonly refersTo?: readonly SharedTableName[];
  /** A row is visible only while this shared table has a row with the same values in these columns. */
  readonly shownBy?: { readonly table: string; readonly columns: readonly string[] };
  /**
   * If true, rows of this table are written only if the tables keep their past. A purge of the node keeps the rows, and
   * a deletion of the node deletes them.
   */
  readonly belongsToPast?: true;
  /** How queries about the past read the table. Absent if they do not read the table, or read its current rows. */
  readonly history?: History;
  readonly shared?: undefined;
}

/**
 * Each row contains the offset of the record that made the row valid. If rows can change, `<table>_past` contains their
 * earlier versions (`past.ts`).
 */
export interface History {
  readonly since: 'since' | 'log_offset';
  /** The primary key. Absent if the rows never change and only an age limit deletes the rows. */
  readonly key?: readonly ['node', ...string[]];
  /** Columns that no query reads and the past table does not have. */
  readonly without?: readonly string[];
  readonly indexes?: readonly string[];
}

export type SharedTableName = 'environments' | 'producers' | 'fact_paths' | 'resource_contents' | 'packages';

/** A table whose rows several nodes share. A row is visible while a row of another table refers to it. */
export interface SharedDefinition {
  readonly name: SharedTableName;
  readonly ddl: string;
  readonly shared: SharedKey;
}

export interface SharedKey {
  /** The primary key of the table, and the name of the columns that refer to it. */
  readonly key: string;
  readonly keyType: 'bigint' | 'uuid';
  /** Set if the references are in an array column (GIN index). */
  readonly listedIn?: { readonly table: string; readonly column: string };
}
