import type { Ordering } from '../ast/ast';
import type { Entity, Field } from '../entities/entity';
import type { FieldKind } from '../kinds/field-kind';
import type { FieldTest } from '../kinds/field-test';
import type { Fragment } from '../sql/fragment';

/** The left side of a comparison: a field, or a value inside it. */
export interface Compared {
  /** Name in error texts. */
  readonly label: string;
  readonly kind: FieldKind;
}

/** A field of an entity, with edition and dialect applied. */
export interface PlannedField extends Compared {
  /** Key in the answer. */
  readonly label: string;
  /** The field, or the field that contains the value. */
  readonly field: Field;
}

/** A condition with resolved fields and checked values. */
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
      /** The field does not exist, so the count is 0. */
      readonly nothing?: boolean;
    };

interface PlannedOrder {
  readonly field: PlannedField;
  readonly order: 'asc' | 'desc';
}

/** A term of the order of groups: a column of the groups, or a function. */
interface GroupOrder {
  readonly column: PlannedColumn;
  readonly order: 'asc' | 'desc';
}

/** Compares the result of a function for a group. */
interface PlannedGroupTest {
  readonly column: PlannedColumn;
  readonly operator: Ordering | '=';
  readonly value: string;
}

/** A complete query of one entity: rows, columns and order. */
export interface Plan {
  readonly entity: Entity;
  /** Replaces the entity's own tables. */
  readonly from?: Fragment;
  readonly test: Test;
  /** A default condition of the entity that this query does not remove. */
  readonly also?: Fragment;
  readonly columns: readonly PlannedColumn[];
  /**
   * The columns that define the groups. Undefined if the query does not group rows. Empty if all rows form one group.
   */
  readonly groups?: readonly PlannedColumn[];
  /** Conditions for groups. */
  readonly having?: readonly PlannedGroupTest[];
  /** The order of rows. `groupOrder` is the order of groups. */
  readonly order: readonly PlannedOrder[];
  readonly groupOrder?: readonly GroupOrder[];
  readonly limit?: number;
  readonly offset?: number;
  /** A node counts as inactive for this many seconds after it was deactivated or has expired. */
  readonly inactiveForSeconds?: number;
}
