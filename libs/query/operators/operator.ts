import type { Addition } from '../additions';
import type { AstJson } from '../ast/json';
import type { FieldKind } from '../kinds/field-kind';
import type { FieldTest } from '../kinds/field-test';

/** How PQL writes an operator. */
export type PqlForm =
  /** Between the field and the value. `negated`: it means the opposite of the operator. */
  | { readonly infix: string; readonly negated?: boolean }
  /** Words after the field that mean this value. */
  | { readonly suffix: string; readonly value: boolean };

/** Makes the condition that compares a field with `value`. `label` is the name of the field in error messages. Fault: `query.value`. */
export type Compare = (value: AstJson, label: string) => FieldTest;

/**
 * An operator between a field and a value. The entry is all that there is to know about it: checks, PQL, limits, hints and
 * docs/operators.md derive from it.
 */
export interface FieldOperator {
  /** The name in the JSON form, in lower case. */
  readonly name: string;
  /** Empty where PQL has no form of its own. */
  readonly pql: readonly PqlForm[];
  /** What PQL accepts on the right of an infix form. */
  readonly value: 'any' | 'text' | 'texts' | 'text, number or time' | 'boolean';
  /** The operator whose opposite this one is. It is checked and planned as `not` of that. */
  readonly negates?: string;
  /** One sentence for the documentation. */
  readonly summary: string;
  /** The fields that have the operator, for the documentation. */
  readonly fields: string;
  /** A condition in JSON, for the documentation. */
  readonly example: string;
  /** The value is a regular expression or a list of them. */
  readonly takesExpressions?: boolean;
  /**
   * Whether each use counts as a comparison (NODELEDGER_MAX_QUERY_CONDITIONS) before the query is planned. `unless-or`:
   * alternatives of one field become one comparison, so under `or` they are counted later.
   */
  readonly counts: 'each' | 'unless-or' | 'later';
  /** Refuses values that no field can be compared with. Fault: `query.value`, `query.arguments`. */
  readonly check?: (value: AstJson) => void;
  /** The operator is not part of the strict language. */
  readonly addition?: Addition;
  /** How a refusal of a field begins, where it is not `Query operator <name> is`. */
  readonly refusal?: string;
  /** What the operator does on fields of a kind; undefined if they do not have it. */
  readonly on: (kind: FieldKind) => Compare | undefined;
}
