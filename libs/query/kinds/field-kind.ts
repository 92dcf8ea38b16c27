import type { Ordering, VersionTest } from '../ast/ast';
import type { Step } from '../ast/dotted-name';
import type { AstJson } from '../ast/json';
import { type Fragment, sql } from '../sql/fragment';
import type { Pattern } from '../sql/pattern';
import type { FieldKey, FieldTest, SqlTest } from './field-test';

export type KindName =
  'text' | 'integer' | 'boolean' | 'timestamp' | 'path' | 'value' | 'texts' | 'json-text' | 'tree' | 'expanded';

/**
 * Determines the SQL for a field's values, the operators of the field, and how values are sorted and printed. A field
 * has an operator if its kind has the operator's method. `label` is the field's name in error messages. Methods throw
 * `query.value` if the field cannot be compared with a value.
 *
 * Optional properties use `declare`, because otherwise each kind would contain them as undefined, and a query creates a
 * kind for each pair such as `["fact", "kernel"]`.
 */
export abstract class FieldKind {
  abstract readonly name: KindName;
  /** Completes the sentence `The field is …` in hints. */
  abstract readonly noun: string;
  abstract readonly meaning: string;
  declare readonly note?: string | undefined;
  abstract readonly type: 'text' | 'numeric' | 'boolean' | 'timestamptz' | 'jsonb' | 'text[]';
  abstract readonly value: Fragment;
  /** Key that `in` with a sub-query compares instead of `value`. */
  declare readonly key?: FieldKey;

  constructor(readonly needs: readonly string[]) {}

  equals?(value: AstJson, label: string): FieldTest;
  isIn?(values: readonly AstJson[], label: string): FieldTest;
  orders?(operator: Ordering, value: AstJson, label: string): FieldTest;
  /** Like `orders`, but the time can be relative to now. If a kind has no `ordersTime`, `orders` gets all values. */
  ordersTime?(operator: Ordering, value: AstJson, label: string): FieldTest;
  matches?(pattern: Pattern): FieldTest;
  matchesPath?(expressions: AstJson): FieldTest;
  comparesVersion?(test: VersionTest): FieldTest;
  isNull?(expected: boolean): FieldTest;
  /**
   * Returns the kind of a dotted name that begins with the field's name, or undefined if the field has no value at
   * `steps`.
   */
  member?(steps: readonly Step[]): FieldKind | undefined;

  sorted(direction: Fragment): Fragment {
    return sql`${this.value} ${direction}`;
  }

  shown(): Fragment {
    return this.printed(this.value);
  }

  printed(value: Fragment): Fragment {
    return value;
  }

  /**
   * Returns the SQL for the JSON text of the value. Only kinds whose equal values can have different texts have this
   * method.
   */
  spelling?(): Fragment;

  test(condition: Fragment): SqlTest {
    return { kind: 'expression', sql: condition, needs: this.needs };
  }

  protected testNull(expected: boolean): SqlTest {
    return this.test(expected ? sql`${this.value} IS NULL` : sql`${this.value} IS NOT NULL`);
  }
}

export type NamedKind = (name: string) => FieldKind;
