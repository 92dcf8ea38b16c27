import type { AstJson } from '../ast/json';
import { type Fragment, sql } from '../sql/fragment';
import { Flag } from './boolean';
import type { FieldTest, Literal, SqlTest } from './field-test';

class Condition extends Flag {
  override equals(value: AstJson): FieldTest {
    // PuppetDB treats every value except false and null as true.
    return { kind: 'equals', field: this, literals: [value !== false && value !== null && value !== 'false'] };
  }

  override oneOf(literals: readonly Literal[]): SqlTest {
    if (literals.length !== 1) return super.oneOf(literals);
    return this.test(literals[0] === true ? this.value : sql`NOT ${this.value}`);
  }
}

/**
 * Makes the kind of a field that is true or false in every row. `= true` becomes the condition itself, so that
 * PostgreSQL can convert the condition to a join.
 */
export const condition = (value: Fragment): Flag => new Condition(value);
