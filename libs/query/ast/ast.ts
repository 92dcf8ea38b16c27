import type { AstJson } from './json';

/** A field as a query names it: `certname`, `facts.os.name`, or a pair such as `["fact", "kernel"]`. */
export type FieldRef =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'keyed'; readonly container: string; readonly key: string };

export type Ordering = '<' | '>' | '<=' | '>=';

/** Whether a version equals, precedes or follows `version`, which is one. */
export interface VersionTest {
  readonly operator: Ordering | '=';
  readonly version: string;
}

/** What was read from a list of the query remembers the list, so that a fault can say where it is. */
interface Sourced {
  readonly source?: AstJson;
}

export type Condition = Sourced &
  (
    | { readonly kind: 'and' | 'or'; readonly members: readonly Condition[] }
    | { readonly kind: 'not'; readonly member: Condition }
    /** `operator`: the name of one of the field operators (../operators/operators.ts). */
    | { readonly kind: 'test'; readonly operator: string; readonly field: FieldRef; readonly value: AstJson }
    | { readonly kind: 'version'; readonly field: FieldRef; readonly test: VersionTest }
    | { readonly kind: 'in-array'; readonly fields: readonly FieldRef[]; readonly values: readonly AstJson[] }
    | { readonly kind: 'in-query'; readonly fields: readonly FieldRef[]; readonly query: EntitySelection }
    | { readonly kind: 'related'; readonly query: EntitySelection }
  );

export interface FunctionCall {
  readonly kind: 'call';
  /** The name of one of the functions (../operators/functions.ts). */
  readonly name: string;
  readonly field?: FieldRef;
  /** Of `to_string`: a template as PostgreSQL's to_char reads it. */
  readonly template?: string;
}

export type Column = { readonly kind: 'field'; readonly field: FieldRef } | FunctionCall;

/** Compares a function of a group with a number. */
export interface GroupTest extends Sourced {
  readonly call: FunctionCall;
  readonly operator: Ordering | '=';
  /** A decimal number. */
  readonly value: string;
}

/** By a field, or by a function of groups. */
export type OrderTerm = ({ readonly field: string } | { readonly call: FunctionCall }) & {
  readonly order: 'asc' | 'desc';
};

/** What a query asks of one entity. Without columns: the entity's default record. */
export interface Selection {
  readonly columns?: readonly Column[];
  /** The list with the columns. */
  readonly extract?: AstJson;
  readonly condition?: Condition;
  readonly groupBy?: readonly Column[];
  /** The list `["group_by", column, …]`. */
  readonly groupByList?: AstJson;
  /** A group is shown if all of these hold. */
  readonly having?: readonly GroupTest[];
  /** No two rows have the same columns. */
  readonly distinct?: boolean;
  readonly orderBy?: readonly OrderTerm[];
  /** The list of terms, where it is part of the query. */
  readonly orderByList?: AstJson;
  readonly limit?: number;
  readonly offset?: number;
}

export interface EntitySelection extends Selection, Sourced {
  /** As written: `fact_contents` after `from` and `subquery`, `select_fact_contents` inside `extract`. */
  readonly entity: string;
  readonly form: 'from' | 'select' | 'subquery';
}
