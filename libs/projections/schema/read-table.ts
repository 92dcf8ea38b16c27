/**
 * Describes a read table: its SQL, and the properties on which deletion, snapshots, comparison and the collection of
 * shared rows depend.
 */
export type ReadTable = OwnTable | SharedDefinition;

/** Describes a table whose rows belong to a node, a report or a partition. */
export interface OwnTable {
  readonly name: string;
  /** Statements with the placeholders `{schema}` and `{collation}`. */
  readonly ddl: string;
  /** The columns by which rows are deleted: a row is deleted with its node or with its report. */
  readonly deletedBy: readonly ('node' | 'report')[];
  /** The age limit that deletes the rows. */
  readonly ageLimit?: 'reports' | 'events';
  /**
   * Name of a command. Each row was made from a record of this command, and contains the log position of the record.
   * Snapshots of the log and archives keep this record.
   */
  readonly documentsOf?: string;
  /**
   * The shared tables to which the rows refer. For each of them, the table has an indexed column with the same name as
   * the key of the shared table.
   */
  readonly refersTo?: readonly SharedTableName[];
  /**
   * For a table that depends on a shared table: a row is visible while the shared table has a row with the same values
   * in these columns.
   */
  readonly shownBy?: { readonly table: string; readonly columns: readonly string[] };
  /**
   * True for tables that belong to the past. Their rows are written only if the tables keep their past. A purge of the
   * node keeps the rows, and a deletion of the node deletes them.
   */
  readonly belongsToPast?: true;
  /** How queries about the past read the table. Absent if they do not read it, or read its current rows. */
  readonly history?: History;
  readonly shared?: undefined;
}

/**
 * Each row contains the offset of the record that made the row valid. If rows change, `<table>_past` keeps their
 * earlier versions (`past.ts`).
 */
export interface History {
  /** The column with the offset of the record that made a row valid. */
  readonly since: 'since' | 'log_offset';
  /**
   * The primary key, which begins with `node`. Absent if the rows never change, and if only an age limit deletes the
   * rows.
   */
  readonly key?: readonly ['node', ...string[]];
  /** Columns that no query reads. The past table does not have them. */
  readonly without?: readonly string[];
  /** Indexes of the past table besides its primary key. */
  readonly indexes?: readonly string[];
}

export type SharedTableName = 'environments' | 'producers' | 'fact_paths' | 'resource_contents' | 'packages';

/** Describes a table whose rows several nodes share. A row is visible while a row of another table refers to it. */
export interface SharedDefinition {
  readonly name: SharedTableName;
  /** See OwnTable. */
  readonly ddl: string;
  readonly shared: SharedKey;
}

export interface SharedKey {
  /** The primary key of the table, and the name of the columns that refer to it. */
  readonly key: string;
  readonly keyType: 'bigint' | 'uuid';
  /** The table and column with arrays of keys (GIN index), if the references are in an array. */
  readonly listedIn?: { readonly table: string; readonly column: string };
}
