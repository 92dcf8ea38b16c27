import type { Addition } from '../additions';
import type { FieldKind, NamedKind } from '../kinds/field-kind';
import type { Fragment } from '../sql/fragment';

/** Parameters that add fields: include_facts_expiration and include_package_inventory. */
export type FieldOption = 'facts-expiration' | 'package-inventory';

/** ask: in conditions; show: in answers; order: in order_by. */
export type FieldUse = 'ask' | 'show' | 'order';

export interface Field {
  readonly name: string;
  /** The name in dialect `puppetdb`, where it differs; both are understood in every dialect. */
  readonly puppetName?: string;
  readonly kind: FieldKind;
  /** What `kind.shown()` shows, as JSON text that is never NULL, or the pieces of it, where the tables make it cheap. It needs the joins of `kind`. */
  readonly jsonText?: Fragment | readonly Fragment[];
  /** All uses where absent. */
  readonly uses?: readonly FieldUse[];
  /** The uses of dotted names that begin with the field's name, where they have others and are an addition. */
  readonly members?: { readonly uses: readonly FieldUse[]; readonly addition: Addition };
  /** In edition `open` the field is of this kind, or not there at all. */
  readonly open?: FieldKind | 'absent';
  /** Present only if the request asks for it by that option. */
  readonly option?: FieldOption;
}

export interface Join {
  readonly sql: Fragment;
  /** Joins that have to come before. */
  readonly after?: readonly string[];
}

/** Columns here and there that hold the same thing. */
export interface Relation {
  readonly local: readonly string[];
  readonly foreign: readonly string[];
}

export interface Entity {
  /** Underscored: `fact_contents`. */
  readonly name: string;
  /** The name in error texts. */
  readonly title: string;
  readonly from: Fragment;
  /** By name, in an order in which they may be written. */
  readonly joins: Readonly<Record<string, Join>>;
  readonly fields: readonly Field[];
  /** What `["fact", x]` and `["parameter", x]` mean. */
  readonly keyed?: Readonly<Record<string, NamedKind>>;
  /** The join that gives `n.deactivated` and `n.expired`; undefined: the entity has no node. */
  readonly nodeJoin?: string;
  /** Whether lists show active nodes only: at the entity's own path, and at the root. */
  readonly activeOnly: { readonly path: boolean; readonly root: boolean };
  /** Rows that exist for the entity at all (a name that nothing refers to is not shown). */
  readonly where?: Fragment;
  /** The field whose mention lifts a default condition, and that condition. */
  readonly unlessAsked?: { readonly field: string; readonly condition: Fragment };
  /** Records are the value of this field instead of an object. */
  readonly bare?: string;
  /** The order of a query that asks for none. */
  readonly sortedBy?: readonly string[];
  readonly relations: Readonly<Record<string, Relation>>;
  /** The same rows counted, with some of the fields: for queries that need only these fields and the number of rows. */
  readonly counted?: CountedEntity;
  /** The number of rows that one row represents. */
  readonly rowCount?: Fragment;
}

export interface CountedEntity extends Entity {
  readonly rowCount: Fragment;
}

/** Relations that a certname on both sides makes. */
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
