import type { Ordering, VersionTest } from '../ast/ast';
import type { Step } from '../ast/dotted-name';
import type { AstJson } from '../ast/json';
import { type Fragment, sql } from '../sql/fragment';
import type { Pattern } from '../sql/pattern';
import type { FieldKey, FieldTest, SqlTest } from './field-test';

export type KindName =
  'text' | 'integer' | 'boolean' | 'timestamp' | 'path' | 'value' | 'texts' | 'json-text' | 'tree' | 'expanded';

/**
 * The kind of a field decides everything about its values: where they are, which values they can be compared with, which
 * operators exist, and how they are sorted and printed. Particulars of one field are parameters of the constructor. A
 * field has an operator if its kind has the method.
 * A query creates a kind for each pair such as `["fact", "kernel"]`, so objects have as few properties as possible:
 * `declare` creates none.
 * `label` is the name of the field in error messages. Methods that take a value throw the fault `query.value`.
 */
export abstract class FieldKind {
  /** Name in the documentation. */
  abstract readonly name: KindName;
  /** Noun in hints: `The field is …`. */
  abstract readonly noun: string;
  /** Description of the values, for the documentation. */
  abstract readonly meaning: string;
  /** Particulars of the field, for the documentation. */
  declare readonly note?: string | undefined;
  /** PostgreSQL's type of `value`. */
  abstract readonly type: 'text' | 'numeric' | 'boolean' | 'timestamptz' | 'jsonb' | 'text[]';
  /** SQL of the value, which conditions, order, groups and functions use. */
  abstract readonly value: Fragment;
  /** If present, `in` with a sub-query compares this key instead of `value`. */
  declare readonly key?: FieldKey;

  /** `needs` are the joins of the entity that `value` needs. */
  constructor(readonly needs: readonly string[]) {}

  /** `=` */
  equals?(value: AstJson, label: string): FieldTest;
  /** `in` with an array. */
  isIn?(values: readonly AstJson[], label: string): FieldTest;
  /** `<`, `<=`, `>` and `>=` */
  orders?(operator: Ordering, value: AstJson, label: string): FieldTest;
  /**
   * `<`, `<=`, `>` and `>=` with a time that may be relative to now. If a kind does not have this method, `orders` gets
   * all values.
   */
  ordersTime?(operator: Ordering, value: AstJson, label: string): FieldTest;
  /** `~` and `~*` */
  matches?(pattern: Pattern): FieldTest;
  /** `~>` */
  matchesPath?(expressions: AstJson): FieldTest;
  /** Comparisons such as `version(field) < version("3.0.9")`. */
  comparesVersion?(test: VersionTest): FieldTest;
  /** `null?` */
  isNull?(expected: boolean): FieldTest;
  /** Returns the kind of a dotted name that begins with the field's name, or undefined if there is no such value. */
  member?(steps: readonly Step[]): FieldKind | undefined;

  /** Returns a term of ORDER BY. */
  sorted(direction: Fragment): Fragment {
    return sql`${this.value} ${direction}`;
  }

  /** Returns the SQL of the value in a record. */
  shown(): Fragment {
    return this.printed(this.value);
  }

  /** Returns the SQL that prints a value of this kind, for example the value of a group. */
  printed(value: Fragment): Fragment {
    return value;
  }

  /** Returns the JSON text of the value, if equal values can have different texts. */
  spelling?(): Fragment;

  /** Returns a test from a condition on the value. */
  test(condition: Fragment): SqlTest {
    return { kind: 'expression', sql: condition, needs: this.needs };
  }

  protected testNull(expected: boolean): SqlTest {
    return this.test(expected ? sql`${this.value} IS NULL` : sql`${this.value} IS NOT NULL`);
  }
}

/** Returns the kind of a pair such as `["fact", "kernel"]` for its second element. */
export type NamedKind = (name: string) => FieldKind;
