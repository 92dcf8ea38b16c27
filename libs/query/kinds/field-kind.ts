import type { Ordering, VersionTest } from '../ast/ast';
import type { Step } from '../ast/dotted-name';
import type { AstJson } from '../ast/json';
import { type Fragment, sql } from '../sql/fragment';
import type { Pattern } from '../sql/pattern';
import type { FieldKey, FieldTest, SqlTest } from './field-test';

export type KindName =
  'text' | 'integer' | 'boolean' | 'timestamp' | 'path' | 'value' | 'texts' | 'json-text' | 'tree' | 'expanded';

/**
 * The kind of a field determines the SQL for its values, the operators of the field, and how values are sorted and
 * printed. Parameters of the constructor contain details of one field. A field has an operator if its kind has the
 * method for the operator. `label` is the name of the field in error messages. Methods that take a value throw
 * `query.value` if the field cannot be compared with the value.
 *
 * A query creates a kind for each pair such as `["fact", "kernel"]`. `declare` creates no property, so these objects
 * stay small.
 */
export abstract class FieldKind {
  abstract readonly name: KindName;
  /** Completes the sentence `The field is …` in hints. */
  abstract readonly noun: string;
  /** Description of the values, for the documentation. */
  abstract readonly meaning: string;
  /** Details of one field, for the documentation. */
  declare readonly note?: string | undefined;
  abstract readonly type: 'text' | 'numeric' | 'boolean' | 'timestamptz' | 'jsonb' | 'text[]';
  /** SQL for the value in conditions, orders, groups and functions. */
  abstract readonly value: Fragment;
  /** Key that `in` with a sub-query compares instead of `value`. Absent if the field has no key column. */
  declare readonly key?: FieldKey;

  constructor(readonly needs: readonly string[]) {}

  equals?(value: AstJson, label: string): FieldTest;
  isIn?(values: readonly AstJson[], label: string): FieldTest;
  /** Compares by `<`, `<=`, `>` or `>=`. */
  orders?(operator: Ordering, value: AstJson, label: string): FieldTest;
  /**
   * Compares by `<`, `<=`, `>` or `>=` with a time that may be relative to now. If a kind does not have this method,
   * `orders` gets all values.
   */
  ordersTime?(operator: Ordering, value: AstJson, label: string): FieldTest;
  /** Matches a regular expression by `~` or `~*`. */
  matches?(pattern: Pattern): FieldTest;
  matchesPath?(expressions: AstJson): FieldTest;
  /** Compares versions, such as `version(field) < version("3.0.9")`. */
  comparesVersion?(test: VersionTest): FieldTest;
  isNull?(expected: boolean): FieldTest;
  /**
   * Returns the kind of a dotted name that begins with the field's name. Returns undefined if the field has no value at
   * `steps`.
   */
  member?(steps: readonly Step[]): FieldKind | undefined;

  /** Returns a term of ORDER BY. */
  sorted(direction: Fragment): Fragment {
    return sql`${this.value} ${direction}`;
  }

  /** Returns the SQL for the value in an answer. */
  shown(): Fragment {
    return this.printed(this.value);
  }

  /** Returns the SQL that prints any value of this kind, for example the value of a group. */
  printed(value: Fragment): Fragment {
    return value;
  }

  /**
   * Returns the SQL for the JSON text of the value. A kind has this method if equal values can have different texts.
   */
  spelling?(): Fragment;

  test(condition: Fragment): SqlTest {
    return { kind: 'expression', sql: condition, needs: this.needs };
  }

  protected testNull(expected: boolean): SqlTest {
    return this.test(expected ? sql`${this.value} IS NULL` : sql`${this.value} IS NOT NULL`);
  }
}

/** Returns the kind of a pair such as `["fact", "kernel"]`. `name` is the second member of the pair. */
export type NamedKind = (name: string) => FieldKind;
