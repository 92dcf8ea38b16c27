import type { Addition } from '../additions';
import type { AstJson } from '../ast/json';
import type { FieldKind } from '../kinds/field-kind';
import type { FieldTest } from '../kinds/field-test';

export type PqlForm =
  | { readonly infix: string; readonly negated?: boolean }
  /** Words after the field that include the value, such as `is null`. `value` is the value in the JSON form. */
  | { readonly suffix: string; readonly value: boolean };

/**
 * Makes the condition that compares a field with `value`. `label` is the field's name in error messages. Throws
 * `query.value` if the field cannot be compared with the value.
 */
export type Compare = (value: AstJson, label: string) => FieldTest;

/**
 * An operator between a field and a value. This entry determines how conditions are checked, written in PQL and
 * limited, and what hints and docs/operators.md say.
 */
export interface FieldOperator {
  /** Name in JSON queries, in lower case. */
  readonly name: string;
  /** Forms in PQL. If the list is empty, only JSON queries can use the operator. */
  readonly pql: readonly PqlForm[];
  /** Values that PQL accepts after an infix form. */
  readonly value: 'any' | 'text' | 'texts' | 'text, number or time' | 'boolean';
  /**
   * The operator that this operator negates. When a condition is checked, it is converted to a `not` of a condition
   * with the negated operator.
   */
  readonly negates?: string;
  /** `summary`, `fields` and `example` are columns of docs/operators.md. `fields` has no effect on queries. */
  readonly summary: string;
  readonly fields: string;
  readonly example: string;
  readonly takesExpressions?: boolean;
  /**
   * When a condition counts toward the limit `queryConditions`. `each`: before planning. `later`: only in the SQL
   * statement. `unless-or`: before planning, except under `or`, because alternatives for one field become one
   * comparison.
   */
  readonly counts: 'each' | 'unless-or' | 'later';
  /** Checks the value without knowing the field. Throws `query.value` or `query.arguments`. */
  readonly check?: (value: AstJson) => void;
  /** Required if PuppetDB does not have the operator. */
  readonly addition?: Addition;
  /** Beginning of the error message if a field lacks the operator. Defaults to `Query operator <name> is`. */
  readonly refusal?: string;
  /** Returns undefined if fields of this kind do not have the operator. */
  readonly on: (kind: FieldKind) => Compare | undefined;
}
