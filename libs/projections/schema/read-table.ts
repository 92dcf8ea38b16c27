/**
 * Describes a read table: its SQL, and the properties on which deletion, snapshots, comparison and the vacuum of shared
 * rows depend.
 */
export type ReadTable = OwnTable | SharedDefinition;

/** Its rows belong to a node, a report or a partition. */
export interface OwnTable {
  readonly name: string;
  /** Statements with the placeholders `{schema}` and `{collation}`. */
  readonly ddl: string;
  /** The columns by which rows are deleted: with their node, or with their report. */
  readonly deletedBy: readonly ('node' | 'report')[];
  /** The age limit that deletes its rows. */
  readonly ageLimit?: 'reports' | 'events';
  /**
   * The command that each row stores. The row has the log position of its record; snapshots of the log and archives keep
   * this record.
   */
  readonly documentsOf?: string;
  /** The shared tables that it references. Each reference is an indexed column with the same name as the key of the shared table. */
  readonly refersTo?: readonly SharedTableName[];
  /** For a table that depends on a shared one: a row is visible while this other table has a row with the same values in these columns. */
  readonly shownBy?: { readonly table: string; readonly columns: readonly string[] };
  /**
   * Rows are written only if the tables keep their past, and go with it: they stay when their node is purged, and go when it
   * is deleted.
   */
  readonly belongsToPast?: true;
  /** How queries about the past read the table. Absent if they do not read it, or read it as it is. */
  readonly history?: History;
  readonly shared?: undefined;
}

/**
 * A row holds since a record of its node, which the row names. If rows change, their earlier versions are kept in
 * `<table>_past`, which `past.ts` derives from the table.
 */
export interface History {
  /** The column with the offset of the record since which a row holds. */
  readonly since: 'since' | 'log_offset';
  /** The primary key, which begins with `node`. Absent if rows never change and only an age limit deletes them. */
  readonly key?: readonly ['node', ...string[]];
  /** Columns that no query reads. The past does not have them. */
  readonly without?: readonly string[];
  /** Indexes of the past besides its primary key. */
  readonly indexes?: readonly string[];
}

export type SharedTableName = 'environments' | 'producers' | 'fact_paths' | 'resource_contents' | 'packages';

/** Its rows are shared by nodes: a row is visible while a row of another table references it. */
export interface SharedDefinition {
  readonly name: SharedTableName;
  /** See OwnTable. */
  readonly ddl: string;
  readonly shared: SharedKey;
}

export interface SharedKey {
  /** Its primary key, and the name of the columns that refer to it. */
  readonly key: string;
  readonly keyType: 'bigint' | 'uuid';
  /** The table and column with arrays of keys (GIN index), if the references are in an array. */
  readonly listedIn?: { readonly table: string; readonly column: string };
}
