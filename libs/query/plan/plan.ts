import type { Ordering } from '../ast/ast';
import type { Entity, Field } from '../entities/entity';
import type { FieldKind } from '../kinds/field-kind';
import type { FieldTest } from '../kinds/field-test';
import type { Fragment } from '../sql/fragment';

export interface Compared {
  /** Name in error messages. */
  readonly label: string;
  readonly kind: FieldKind;
}

export interface PlannedField extends Compared {
  /** Name of the field in answers. */
  readonly label: string;
  /** For a dotted name, the field that contains the value. */
  readonly field: Field;
}

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
      /** True if the field does not exist. The function then returns the value of `ofUnknownField`. */
      readonly nothing?: boolean;
    };

interface PlannedOrder {
  readonly field: PlannedField;
  readonly order: 'asc' | 'desc';
}

interface GroupOrder {
  readonly column: PlannedColumn;
  readonly order: 'asc' | 'desc';
}

interface PlannedGroupTest {
  readonly column: PlannedColumn;
  readonly operator: Ordering | '=';
  readonly value: string;
}

export interface Plan {
  readonly entity: Entity;
  /** SQL that replaces the tables of the entity. */
  readonly from?: Fragment | undefined;
  readonly test: Test;
  /** The default condition of the entity. Absent if the query turns it off. */
  readonly also?: Fragment | undefined;
  readonly columns: readonly PlannedColumn[];
  /** Absent if the query does not group rows. Empty if all rows form one group. */
  readonly groups?: readonly PlannedColumn[] | undefined;
  readonly having?: readonly PlannedGroupTest[] | undefined;
  /** If rows are grouped, `groupOrder` applies instead. */
  readonly order: readonly PlannedOrder[];
  readonly groupOrder?: readonly GroupOrder[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /**
   * A node counts as inactive for this time after it was deactivated or has expired. Later, the node is neither active
   * nor inactive. Absent if there is no limit.
   */
  readonly inactiveForSeconds?: number | undefined;
}
