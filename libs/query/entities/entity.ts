import type { Fragment } from '../sql/fragment';

/**
 * What kind of value a field has, which decides its operators and how it is printed.
 * `value`: a fact's value, jsonb of any kind. `json-text`: JSON kept as text (values of events). `texts`: a text array.
 * `tree`: a map into which dotted names reach. `expanded`: `{href, data}`, only shown. `path`: jsonb array of elements.
 */
export type FieldType =
  'text' | 'integer' | 'boolean' | 'timestamp' | 'path' | 'value' | 'texts' | 'json-text' | 'tree' | 'expanded';

export type KeyDomain = 'node' | 'fact' | 'environment' | 'producer' | 'report';

/** The key column that stands for the field's text: equality is asked of it, so the index on the key serves. */
export interface FieldKey {
  readonly domain: KeyDomain;
  readonly value: Fragment;
  readonly needs?: readonly string[];
}

/** Where the members of a tree are: the facts of a node, or one jsonb document. */
export type Tree =
  | { readonly kind: 'facts'; readonly node: Fragment; readonly under: readonly string[] }
  | { readonly kind: 'document'; readonly document: Fragment; readonly needs: readonly string[] };

/** Parameters that add fields: include_facts_expiration and include_package_inventory. */
export type FieldOption = 'facts-expiration' | 'package-inventory';

/** ask: in conditions; show: in answers; order: in order_by. */
export type Use = 'ask' | 'show' | 'order';

export interface Field {
  readonly name: string;
  /** The name in dialect `puppetdb`, where it differs; both are understood in every dialect. */
  readonly puppetName?: string;
  readonly type: FieldType;
  /** What conditions, order, grouping and functions work on. */
  readonly value: Fragment;
  /** Joins of the entity that `value` needs. */
  readonly needs?: readonly string[];
  /** What is printed, where it is not made from `value` by the field's type. */
  readonly output?: Fragment;
  readonly outputNeeds?: readonly string[];
  readonly key?: FieldKey;
  readonly tree?: Tree;
  /** What order_by sorts by, where it is not `value`. */
  readonly sort?: Fragment;
  readonly sortNeeds?: readonly string[];
  /** What decides between rows of equal place, so that pages neither repeat nor lose one. */
  readonly thenBy?: Fragment;
  /** Of a path: the bigint key, the jsonb elements, and how many there are. */
  readonly pathKey?: Fragment;
  /** The value's text where it differs from what jsonb prints. */
  readonly spelled?: Fragment;
  /** An indexed prefix (200 characters) of a text too long for an index row: equality asks for both. */
  readonly prefix?: Fragment;
  /** The value is a condition, never null: `= true` is asked as the condition itself, which joins can serve. */
  readonly isCondition?: boolean;
  /** Of the value of a top-level fact: the key of its node. */
  readonly nodeOfFact?: Fragment;
  /** Leaves of facts: equality is asked with type and hash as well, as the index on the leaves has them. */
  readonly isLeaf?: boolean;
  /** Given what a text column has to equal: a condition that follows from it and that an index serves. */
  readonly narrowed?: (equals: (column: Fragment) => Fragment) => Fragment;
  /** A value of `=` that means every row. */
  readonly anyMeans?: string;
  /** Of a path: `~>` has to fit whole elements. */
  readonly wholeElements?: boolean;
  /** No `<` and its like, whatever the type. */
  readonly unordered?: boolean;
  /** Values and patterns of a query are taken in lower case. */
  readonly lowerCase?: boolean;
  /** The output in edition `open`, where it differs. */
  readonly openOutput?: Fragment;
  /** All uses where absent. */
  readonly uses?: readonly Use[];
  /** In edition `open` the field is always null, or not there at all. */
  readonly open?: 'null' | 'absent';
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
  /** What `["fact", x]`, `["parameter", x]` mean: the tree field and whether the name is split at dots. */
  readonly keyed?: Readonly<Record<string, KeyedField>>;
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
}

export type KeyedField =
  | { readonly kind: 'fact'; readonly node: Fragment }
  | { readonly kind: 'parameter'; readonly document: Fragment; readonly needs: readonly string[] };

/** `["fact", name]`: a fact of the node that the row is of. */
export const factOf = (node: Fragment): Readonly<Record<string, KeyedField>> => ({ fact: { kind: 'fact', node } });

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
