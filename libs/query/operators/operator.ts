import type { Addition } from '../additions';
import type { AstJson } from '../ast/json';
import type { FieldKind } from '../kinds/field-kind';
import type { FieldTest } from '../kinds/field-test';

/** The form of an operator in PQL. */
export type PqlForm =
  /** Written between the field and the value. `negated` means the opposite of the operator. */
  | { readonly infix: string; readonly negated?: boolean }
  /** Words after the field that stand for this value. */
  | { readonly suffix: string; readonly value: boolean };

/** Makes the condition that compares a field with `value`. `label` is the name of the field in error messages. Fault: `query.value`. */
export type Compare = (value: AstJson, label: string) => FieldTest;

/** An operator between a field and a value. Checks, PQL, limits, hints and docs/operators.md use this entry. */
export interface FieldOperator {
  /** Name in the JSON form, in lower case. */
  readonly name: string;
  /** Empty if PQL has no form for the operator. */
  readonly pql: readonly PqlForm[];
  /** Values that PQL accepts on the right of an infix form. */
  readonly value: 'any' | 'text' | 'texts' | 'text, number or time' | 'boolean';
  /** The operator that this one negates. Checking and planning treat it as `not` of that operator. */
  readonly negates?: string;
  /** One sentence for the documentation. */
  readonly summary: string;
  /** Fields that have the operator, for the documentation. */
  readonly fields: string;
  /** A condition in JSON, for the documentation. */
  readonly example: string;
  /** True if the value is a regular expression or a list of them. */
  readonly takesExpressions?: boolean;
  /**
   * When a use counts as a comparison (the limit `queryConditions`). `unless-or`: before planning, but later under
   * `or`, because alternatives for one field become one comparison.
   */
  readonly counts: 'each' | 'unless-or' | 'later';
  /** Refuses values that no field can be compared with. Faults: `query.value`, `query.arguments`. */
  readonly check?: (value: AstJson) => void;
  /** Present if the operator is not part of the strict language. */
  readonly addition?: Addition;
  /** The beginning of a refusal, if it is not `Query operator <name> is`. */
  readonly refusal?: string;
  /** Returns the comparison for fields of a kind, or undefined if they do not have the operator. */
  readonly on: (kind: FieldKind) => Compare | undefined;
}
