import type { AstJson } from './json';

/** A field as a query names it: `certname`, `facts.os.name`, or a pair such as `["fact", "kernel"]`. */
export type FieldRef =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'keyed'; readonly container: string; readonly key: string };

export type Ordering = '<' | '>' | '<=' | '>=';

/** A comparison of a version with `version`. */
export interface VersionTest {
  readonly operator: Ordering | '=';
  readonly version: string;
}

/** Contains the list of the query from which it was read, so that a fault can name its position. */
interface Sourced {
  readonly source?: AstJson;
}

export type Condition = Sourced &
  (
    | { readonly kind: 'and' | 'or'; readonly members: readonly Condition[] }
    | { readonly kind: 'not'; readonly member: Condition }
    /** `operator` is the name of a field operator (../operators/operators.ts). */
    | { readonly kind: 'test'; readonly operator: string; readonly field: FieldRef; readonly value: AstJson }
    | { readonly kind: 'version'; readonly field: FieldRef; readonly test: VersionTest }
    | { readonly kind: 'in-array'; readonly fields: readonly FieldRef[]; readonly values: readonly AstJson[] }
    | { readonly kind: 'in-query'; readonly fields: readonly FieldRef[]; readonly query: EntitySelection }
    | { readonly kind: 'related'; readonly query: EntitySelection }
  );

export interface FunctionCall {
  readonly kind: 'call';
  /** Name of a function (../operators/functions.ts). */
  readonly name: string;
  readonly field?: FieldRef;
  /** Template of `to_string` for PostgreSQL's to_char. */
  readonly template?: string;
}

export type Column = { readonly kind: 'field'; readonly field: FieldRef } | FunctionCall;

/** Compares the result of a function of a group, such as `count`, with a number. */
export interface GroupTest extends Sourced {
  readonly call: FunctionCall;
  readonly operator: Ordering | '=';
  /** A decimal number. */
  readonly value: string;
}

/** Orders by a field, or by a function of groups. */
export type OrderTerm = ({ readonly field: string } | { readonly call: FunctionCall }) & {
  readonly order: 'asc' | 'desc';
};

/** A query of one entity. Without columns, rows are the entity's records. */
export interface Selection {
  readonly columns?: readonly Column[];
  /** The list with the columns. */
  readonly extract?: AstJson;
  readonly condition?: Condition;
  readonly groupBy?: readonly Column[];
  /** The list `["group_by", column, …]`. */
  readonly groupByList?: AstJson;
  /** A group is shown if it meets all of these. */
  readonly having?: readonly GroupTest[];
  /** Removes duplicate rows. */
  readonly distinct?: boolean;
  readonly orderBy?: readonly OrderTerm[];
  /** The list of terms, if the query contains it. */
  readonly orderByList?: AstJson;
  readonly limit?: number;
  readonly offset?: number;
}

export interface EntitySelection extends Selection, Sourced {
  /** As written: `fact_contents` after `from` and `subquery`, `select_fact_contents` inside `extract`. */
  readonly entity: string;
  readonly form: 'from' | 'select' | 'subquery';
}
