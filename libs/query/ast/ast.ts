import type { AstJson } from './json';

/** A field as the query writes it: `certname`, `facts.os.name`, or a pair such as `["fact", "kernel"]`. */
export type FieldRef =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'keyed'; readonly container: string; readonly key: string };

export type Ordering = '<' | '>' | '<=' | '>=';

export interface VersionTest {
  readonly operator: Ordering | '=';
  readonly version: string;
}

/** `source` is the list from which this object was read. Faults use the list to name a position in the query. */
interface Sourced {
  readonly source?: AstJson;
}

export type Condition = Sourced &
  (
    | { readonly kind: 'and' | 'or'; readonly members: readonly Condition[] }
    | { readonly kind: 'not'; readonly member: Condition }
    /** `operator` is the name of an entry in ../operators/operators.ts. */
    | { readonly kind: 'test'; readonly operator: string; readonly field: FieldRef; readonly value: AstJson }
    | { readonly kind: 'version'; readonly field: FieldRef; readonly test: VersionTest }
    | { readonly kind: 'in-array'; readonly fields: readonly FieldRef[]; readonly values: readonly AstJson[] }
    | { readonly kind: 'in-query'; readonly fields: readonly FieldRef[]; readonly query: EntitySelection }
    | { readonly kind: 'related'; readonly query: EntitySelection }
  );

export interface FunctionCall {
  readonly kind: 'call';
  /** Name of an entry in ../operators/functions.ts. */
  readonly name: string;
  readonly field?: FieldRef;
  /** Second argument of `to_string`: a template for PostgreSQL's to_char. */
  readonly template?: string;
}

export type Column = { readonly kind: 'field'; readonly field: FieldRef } | FunctionCall;

export interface GroupTest extends Sourced {
  readonly call: FunctionCall;
  readonly operator: Ordering | '=';
  /** Decimal text. */
  readonly value: string;
}

export type OrderTerm = ({ readonly field: string } | { readonly call: FunctionCall }) & {
  readonly order: 'asc' | 'desc';
};

/** A query without columns returns whole records. */
export interface Selection {
  readonly columns?: readonly Column[] | undefined;
  /** The list `["extract", columns, …]`, so that faults can name its position. */
  readonly extract?: AstJson | undefined;
  readonly condition?: Condition | undefined;
  readonly groupBy?: readonly Column[] | undefined;
  /** The list `["group_by", column, …]`, so that faults can name its position. */
  readonly groupByList?: AstJson | undefined;
  readonly having?: readonly GroupTest[] | undefined;
  readonly distinct?: boolean | undefined;
  readonly orderBy?: readonly OrderTerm[] | undefined;
  /** The argument of `order_by`, so that faults can name its position. */
  readonly orderByList?: AstJson | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface EntitySelection extends Selection, Sourced {
  /** Name in the query: `fact_contents` after `from` and `subquery`, `select_fact_contents` inside `extract`. */
  readonly entity: string;
  readonly form: 'from' | 'select' | 'subquery';
}
