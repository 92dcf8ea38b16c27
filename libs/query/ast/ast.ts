import type { AstJson } from './json';

/** A field as a query names it: `certname`, `facts.os.name`, or a pair such as `["fact", "kernel"]`. */
export type FieldRef =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'keyed'; readonly container: string; readonly key: string };

export const comparisons = ['=', '<', '>', '<=', '>='] as const;
export type Comparison = (typeof comparisons)[number];

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly members: readonly Condition[] }
  | { readonly kind: 'not'; readonly member: Condition }
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly field: FieldRef; readonly value: AstJson }
  | { readonly kind: 'match'; readonly field: FieldRef; readonly pattern: AstJson }
  | { readonly kind: 'match-path'; readonly field: FieldRef; readonly patterns: AstJson }
  | { readonly kind: 'null'; readonly field: FieldRef; readonly expected: boolean }
  | { readonly kind: 'in-array'; readonly fields: readonly FieldRef[]; readonly values: readonly AstJson[] }
  | { readonly kind: 'in-query'; readonly fields: readonly FieldRef[]; readonly query: EntitySelection }
  | { readonly kind: 'related'; readonly query: EntitySelection };

export const functionNames = ['count', 'avg', 'sum', 'min', 'max', 'to_string'] as const;
export type FunctionName = (typeof functionNames)[number];

export interface FunctionCall {
  readonly kind: 'call';
  readonly name: FunctionName;
  readonly field?: FieldRef;
  /** Of `to_string`: a template as PostgreSQL's to_char reads it. */
  readonly template?: string;
}

export type Column = { readonly kind: 'field'; readonly field: FieldRef } | FunctionCall;

export interface OrderTerm {
  readonly field: string;
  readonly order: 'asc' | 'desc';
}

/** What a query asks of one entity. Without columns: the entity's default record. */
export interface Selection {
  readonly columns?: readonly Column[];
  readonly condition?: Condition;
  readonly groupBy?: readonly Column[];
  readonly orderBy?: readonly OrderTerm[];
  readonly limit?: number;
  readonly offset?: number;
}

export interface EntitySelection extends Selection {
  /** As written: `fact_contents` after `from` and `subquery`, `select_fact_contents` inside `extract`. */
  readonly entity: string;
  readonly form: 'from' | 'select' | 'subquery';
}
