/** A read table: its definition, and what must be known of it where all tables are handled alike: deletion, bases, comparison, collection. */
export type ReadTable = OwnTable | SharedDefinition;

/** Its rows belong to a node, a report or a partition. */
export interface OwnTable {
  readonly name: string;
  /** Statements, with `{schema}` and `{collation}` to be filled in. */
  readonly ddl: string;
  /** The columns that say whose a row is, if it is deleted with its node or with its report. */
  readonly deletedBy: readonly ('node' | 'report')[];
  /** The age limit that takes its rows. */
  readonly ageLimit?: 'reports' | 'events';
  /** The command whose documents its rows are. Each holds the place of its record, which bases of the log and archives keep. */
  readonly documentsOf?: string;
  /** The shared tables to which it refers, each in a column that is named as the key there and has an index. */
  readonly refersTo?: readonly SharedTableName[];
  /** Of a table that goes with a shared one: a row counts while a row of this other table has the same values in these columns. */
  readonly shownBy?: { readonly table: string; readonly columns: readonly string[] };
  readonly shared?: undefined;
}

export type SharedTableName = 'environments' | 'producers' | 'fact_paths' | 'resource_contents' | 'packages';

/** Its rows belong to no node: they count while a row of another table refers to them. */
export interface SharedDefinition {
  readonly name: SharedTableName;
  /** As of OwnTable. */
  readonly ddl: string;
  readonly shared: SharedKey;
}

export interface SharedKey {
  /** Its primary key, and the name of the columns that refer to it. */
  readonly key: string;
  readonly keyType: 'bigint' | 'uuid';
  /** The table and the column with arrays of keys, indexed by GIN; if no single column refers to it. */
  readonly listedIn?: { readonly table: string; readonly column: string };
}
