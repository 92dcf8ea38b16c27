import type { Ordering } from '../ast/ast';
import type { AstJson } from '../ast/json';
import type { Step } from '../ast/dotted-name';
import type { Entity, Field, FieldKey, FieldType, Tree } from '../entities/entity';
import type { Fragment } from '../sql/fragment';

/** A field of an entity as this query uses it: edition and dialect are settled. */
export interface PlannedField {
  /** Key in the answer. */
  readonly label: string;
  readonly type: FieldType;
  readonly value: Fragment;
  readonly needs: readonly string[];
  readonly field: Field;
  readonly key?: FieldKey;
  /** The field is a member of a tree. */
  readonly member?: { readonly tree: Tree; readonly steps: readonly Step[] };
}

/** A value of a query in the form its field is compared in. */
export interface Literal {
  readonly cast: 'text' | 'jsonb' | 'numeric' | 'boolean' | 'timestamptz';
  readonly value: string | boolean;
}

export type TreeTest =
  | { readonly kind: 'equals'; readonly value: AstJson }
  | { readonly kind: 'orders'; readonly operator: Ordering; readonly value: AstJson }
  | { readonly kind: 'matches'; readonly pattern: string }
  | { readonly kind: 'is-null'; readonly expected: boolean };

/** A condition whose fields are resolved and whose values are checked: it can only be turned into SQL. */
export type Test =
  | { readonly kind: 'and' | 'or'; readonly members: readonly Test[] }
  | { readonly kind: 'not'; readonly member: Test }
  | { readonly kind: 'constant'; readonly holds: boolean }
  /** One of several values. Tests of one field are joined, and facts are found by their values, before it becomes SQL. */
  | { readonly kind: 'equals'; readonly field: PlannedField; readonly values: readonly Literal[] }
  /** A condition whose SQL is known, and the joins that it needs. */
  | { readonly kind: 'expression'; readonly sql: Fragment; readonly needs: readonly string[] }
  | { readonly kind: 'tree'; readonly tree: Tree; readonly steps: readonly Step[]; readonly test: TreeTest }
  | { readonly kind: 'fact'; readonly node: Fragment; readonly steps: readonly Step[]; readonly test: TreeTest }
  | {
      readonly kind: 'parameter';
      readonly document: Fragment;
      readonly needs: readonly string[];
      readonly name: string;
      readonly test: TreeTest;
    }
  | { readonly kind: 'node-state'; readonly state: 'active' | 'inactive' | 'any' }
  | { readonly kind: 'within'; readonly local: readonly PlannedField[]; readonly query: Plan };

export type PlannedColumn =
  | { readonly kind: 'field'; readonly label: string; readonly field: PlannedField }
  | {
      readonly kind: 'call';
      readonly label: string;
      readonly name: string;
      readonly field?: PlannedField;
      readonly template?: string;
      /** The field does not exist: nothing to count. */
      readonly nothing?: boolean;
    };

export interface PlannedOrder {
  readonly field: PlannedField;
  readonly order: 'asc' | 'desc';
}

/** A query of one entity, complete: which rows, which columns, in which order. */
export interface Plan {
  readonly entity: Entity;
  /** Takes the place of the entity's own tables. */
  readonly from?: Fragment;
  readonly test: Test;
  /** A condition of the entity itself that this query did not lift. */
  readonly also?: Fragment;
  readonly columns: readonly PlannedColumn[];
  /** Present where rows are folded into groups; may be empty (one group). */
  readonly groups?: readonly PlannedColumn[];
  readonly order: readonly PlannedOrder[];
  readonly limit?: number;
  readonly offset?: number;
  readonly edition: 'full' | 'open';
  /** How long ago a node may have been deactivated or expired and still be called inactive. */
  readonly inactiveForSeconds?: number;
}
