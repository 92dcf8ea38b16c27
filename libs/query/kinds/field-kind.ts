import type { Ordering, VersionTest } from '../ast/ast';
import type { Step } from '../ast/dotted-name';
import type { AstJson } from '../ast/json';
import { type Fragment, sql } from '../sql/fragment';
import type { Pattern } from '../sql/pattern';
import type { FieldKey, FieldTest, SqlTest } from './field-test';

export type KindName =
  'text' | 'integer' | 'boolean' | 'timestamp' | 'path' | 'value' | 'texts' | 'json-text' | 'tree' | 'expanded';

/**
 * The kind of a field: what its values are, where they are, and all that follows from that: which values it is compared
 * with, the conditions that its operators make, its order, and how it is printed. What is special to one field is given
 * to the constructor of its kind. A field has an operator if its kind has the method.
 *
 * A kind is made for each pair such as `["fact", "kernel"]` of a query, so objects have as few properties as possible:
 * `declare` makes none.
 *
 * `label` is the name of the field for the texts of faults. Methods that take a value throw the fault `query.value`.
 */
export abstract class FieldKind {
  /** The name in the documentation. */
  abstract readonly name: KindName;
  /** What hints call it: `The field is …`. */
  abstract readonly noun: string;
  /** What its values are, for the documentation. */
  abstract readonly meaning: string;
  /** What is special to the field, for the documentation. */
  declare readonly note?: string | undefined;
  /** PostgreSQL's type of `value`. */
  abstract readonly type: 'text' | 'numeric' | 'boolean' | 'timestamptz' | 'jsonb' | 'text[]';
  /** What conditions, order, groups and functions work on. */
  abstract readonly value: Fragment;
  /** Where it is present, `in` with a query compares it instead of `value`. */
  declare readonly key?: FieldKey;

  /** `needs`: the joins of the entity that `value` needs. */
  constructor(readonly needs: readonly string[]) {}

  /** `=` */
  equals?(value: AstJson, label: string): FieldTest;
  /** `in` with an array. */
  isIn?(values: readonly AstJson[], label: string): FieldTest;
  /** `<` and its like. */
  orders?(operator: Ordering, value: AstJson, label: string): FieldTest;
  /** `<` and its like with a time that may be relative to now. Where it is missing, `orders` takes all values. */
  ordersTime?(operator: Ordering, value: AstJson, label: string): FieldTest;
  /** `~` and `~*` */
  matches?(pattern: Pattern): FieldTest;
  /** `~>` */
  matchesPath?(expressions: AstJson): FieldTest;
  /** `version(field) < version("3.0.9")` and its like. */
  comparesVersion?(test: VersionTest): FieldTest;
  /** `null?` */
  isNull?(expected: boolean): FieldTest;
  /** What a dotted name means that begins with the field's name; undefined: nothing. */
  member?(steps: readonly Step[]): FieldKind | undefined;

  /** A term of ORDER BY. */
  sorted(direction: Fragment): Fragment {
    return sql`${this.value} ${direction}`;
  }

  /** What a record shows. */
  shown(): Fragment {
    return this.printed(this.value);
  }

  /** What is printed for a value of the kind, for example the value of a group. */
  printed(value: Fragment): Fragment {
    return value;
  }

  /** The JSON text of the value, if equal values can have different ones. */
  spelling?(): Fragment;

  /** A condition on the value. */
  test(condition: Fragment): SqlTest {
    return { kind: 'expression', sql: condition, needs: this.needs };
  }

  protected testNull(expected: boolean): SqlTest {
    return this.test(expected ? sql`${this.value} IS NULL` : sql`${this.value} IS NOT NULL`);
  }
}

/** What a pair such as `["fact", "kernel"]` means, by its second element. */
export type NamedKind = (name: string) => FieldKind;
