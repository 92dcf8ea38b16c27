import type { Ordering } from '../ast/ast';
import type { Entity, Field } from '../entities/entity';
import type { FieldKind } from '../kinds/field-kind';
import type { FieldTest } from '../kinds/field-test';
import type { Fragment } from '../sql/fragment';

/** What a condition compares: a field, or something inside it. */
export interface Compared {
  /** The name in texts of faults. */
  readonly label: string;
  readonly kind: FieldKind;
}

/** A field of an entity as this query uses it: edition and dialect are settled. */
export interface PlannedField extends Compared {
  /** Key in the answer. */
  readonly label: string;
  /** The field, or the one whose value `kind` reaches into. */
  readonly field: Field;
}

/** A condition whose fields are resolved and whose values are checked: it can only be turned into SQL. */
export type Test =
  | FieldTest
  | { readonly kind: 'and' | 'or'; readonly members: readonly Test[] }
  | { readonly kind: 'not'; readonly member: Test }
  | { readonly kind: 'node-state'; readonly state: 'active' | 'inactive' | 'any' }
  | { readonly kind: 'within'; readonly local: readonly FieldKind[]; readonly query: Plan };

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

interface PlannedOrder {
  readonly field: PlannedField;
  readonly order: 'asc' | 'desc';
}

/** A term of the order of groups: one of the columns of the groups, or a function of each group. */
interface GroupOrder {
  readonly column: PlannedColumn;
  readonly order: 'asc' | 'desc';
}

/** Compares what a function gives for a group. */
interface PlannedGroupTest {
  readonly column: PlannedColumn;
  readonly operator: Ordering | '=';
  readonly value: string;
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
  /** Conditions that all shown groups meet. */
  readonly having?: readonly PlannedGroupTest[];
  /** The order of rows; of groups, it is `groupOrder`. */
  readonly order: readonly PlannedOrder[];
  readonly groupOrder?: readonly GroupOrder[];
  readonly limit?: number;
  readonly offset?: number;
  /** How long ago a node may have been deactivated or expired and still be called inactive. */
  readonly inactiveForSeconds?: number;
}
