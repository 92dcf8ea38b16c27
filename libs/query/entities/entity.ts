import type { Addition } from '../additions';
import type { FieldKind, NamedKind } from '../kinds/field-kind';
import type { Fragment } from '../sql/fragment';

/** Request options that add fields: include_facts_expiration and include_package_inventory. */
export type FieldOption = 'facts-expiration' | 'package-inventory';

/** How a query can use a field: `ask` in conditions, `show` in answers, `order` in order_by. */
export type FieldUse = 'ask' | 'show' | 'order';

export interface Field {
  readonly name: string;
  /** Name in answers of the dialect `puppetdb`. Requests can use both names in every dialect. */
  readonly puppetName?: string;
  readonly kind: FieldKind;
  /**
   * SQL for the JSON text of `kind.shown()`, or SQL for each piece of this text. Must not return NULL, and needs the
   * joins of `kind`. Absent if `json_build_object` is as fast.
   */
  readonly jsonText?: Fragment | readonly Fragment[];
  /** Absent if the field has all uses. */
  readonly uses?: readonly FieldUse[];
  /**
   * Uses of dotted names that begin with the field's name, if they differ from the uses of the field itself. `addition`
   * is the addition to PuppetDB's language that allows these uses.
   */
  readonly members?: { readonly uses: readonly FieldUse[]; readonly addition: Addition };
  /** The kind of the field in the edition `open`, or `absent` if the edition does not have the field. */
  readonly open?: FieldKind | 'absent';
  /** The field exists only in requests with this option. */
  readonly option?: FieldOption;
}

export interface Join {
  readonly sql: Fragment;
  /** Names of the joins that must precede this join. */
  readonly after?: readonly string[];
}

/** Rows of two entities are related if each column in `local` equals the column at the same index in `foreign`. */
export interface Relation {
  readonly local: readonly string[];
  readonly foreign: readonly string[];
}

export interface Entity {
  readonly name: string;
  readonly title: string;
  readonly from: Fragment;
  /** Joins by name, in the order in which SQL needs them. */
  readonly joins: Readonly<Record<string, Join>>;
  readonly fields: readonly Field[];
  readonly keyed?: Readonly<Record<string, NamedKind>>;
  /**
   * Name of the join that provides `n.deactivated` and `n.expired`, or an empty text if no join is needed. Absent if
   * rows of the entity belong to no node.
   */
  readonly nodeJoin?: string;
  /**
   * Whether answers contain only rows of active nodes: `path` at the entity's own path, `root` in queries at the root.
   */
  readonly activeOnly: { readonly path: boolean; readonly root: boolean };
  readonly where?: Fragment;
  /** A condition that applies if the query does not name `field`. */
  readonly unlessQueried?: { readonly field: string; readonly condition: Fragment };
  /** If present, answers are lists of this field's values instead of lists of objects. */
  readonly bare?: string;
  readonly sortedBy?: readonly string[];
  readonly relations: Readonly<Record<string, Relation>>;
  /** An entity with counts of the same rows. It answers queries that need only its fields and the number of rows. */
  readonly counted?: CountedEntity;
  /** SQL for the number of records that one row represents. */
  readonly rowCount?: Fragment;
}

export interface CountedEntity extends Entity {
  readonly rowCount: Fragment;
}

export const byCertname: Readonly<Record<string, Relation>> = Object.fromEntries(
  [
    'nodes',
    'facts',
    'factsets',
    'fact_contents',
    'inventory',
    'catalogs',
    'resources',
    'edges',
    'reports',
    'events',
    'catalog_inputs',
    'catalog_input_contents',
  ].map((name) => [name, { local: ['certname'], foreign: ['certname'] }]),
);

export const byEnvironment: Readonly<Record<string, Relation>> = {
  environments: { local: ['environment'], foreign: ['name'] },
};

export const byProducer: Readonly<Record<string, Relation>> = {
  producers: { local: ['producer'], foreign: ['name'] },
};
