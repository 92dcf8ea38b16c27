import type { Addition } from '../additions';
import type { FieldKind, NamedKind } from '../kinds/field-kind';
import type { Fragment } from '../sql/fragment';

/** Parameters that add fields: include_facts_expiration and include_package_inventory. */
export type FieldOption = 'facts-expiration' | 'package-inventory';

/** `ask`: in conditions; `show`: in answers; `order`: in order_by. */
export type FieldUse = 'ask' | 'show' | 'order';

export interface Field {
  readonly name: string;
  /** The name in the dialect `puppetdb`, if it differs. Requests may use both names in every dialect. */
  readonly puppetName?: string;
  readonly kind: FieldKind;
  /**
   * SQL for the value of `kind.shown()` as JSON text, or for the pieces of that text. Present if the text is stored or
   * cheaper to make than with `json_build_object`. It is never NULL, and needs the joins of `kind`.
   */
  readonly jsonText?: Fragment | readonly Fragment[];
  /** Absent: all uses. */
  readonly uses?: readonly FieldUse[];
  /**
   * The uses of dotted names that begin with the field's name, if these differ from the uses of the field and are an
   * addition.
   */
  readonly members?: { readonly uses: readonly FieldUse[]; readonly addition: Addition };
  /** The kind of the field in the edition `open`; `absent` if that edition does not have the field. */
  readonly open?: FieldKind | 'absent';
  /** The field exists only if the request has this option. */
  readonly option?: FieldOption;
}

export interface Join {
  readonly sql: Fragment;
  /** Joins that must come before this one. */
  readonly after?: readonly string[];
}

/** Columns of this entity and of another one that contain the same values. */
export interface Relation {
  readonly local: readonly string[];
  readonly foreign: readonly string[];
}

export interface Entity {
  /** With underscores: `fact_contents`. */
  readonly name: string;
  /** Name in error texts. */
  readonly title: string;
  readonly from: Fragment;
  /** By name, in the order in which SQL needs them. */
  readonly joins: Readonly<Record<string, Join>>;
  readonly fields: readonly Field[];
  /** The kinds of `["fact", x]` and `["parameter", x]`. */
  readonly keyed?: Readonly<Record<string, NamedKind>>;
  /** The join that provides `n.deactivated` and `n.expired`; undefined if the entity has no node. */
  readonly nodeJoin?: string;
  /** Whether lists show only active nodes: at the entity's own path, and at the root. */
  readonly activeOnly: { readonly path: boolean; readonly root: boolean };
  /** Condition for rows that the entity shows. For example, names that no document uses are not shown. */
  readonly where?: Fragment;
  /** A default condition, and the field that removes the condition if the query names it. */
  readonly unlessAsked?: { readonly field: string; readonly condition: Fragment };
  /** An answer consists of the values of this field instead of objects. */
  readonly bare?: string;
  /** The order of rows if the query has none. */
  readonly sortedBy?: readonly string[];
  readonly relations: Readonly<Record<string, Relation>>;
  /**
   * Counts of the same rows, with some of the fields, for queries that need only these fields and the number of rows.
   */
  readonly counted?: CountedEntity;
  /** SQL of the number of rows that one row represents. */
  readonly rowCount?: Fragment;
}

export interface CountedEntity extends Entity {
  readonly rowCount: Fragment;
}

/** Relations between entities that both have a certname. */
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
