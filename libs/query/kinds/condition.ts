import type { AstJson } from '../ast/json';
import { type Fragment, sql } from '../sql/fragment';
import { Flag } from './boolean';
import type { FieldTest, Literal, SqlTest } from './field-test';

class Condition extends Flag {
  override equals(value: AstJson): FieldTest {
    // Any value but false and nothing means true here.
    return { kind: 'equals', field: this, literals: [value !== false && value !== null && value !== 'false'] };
  }

  override oneOf(literals: readonly Literal[]): SqlTest {
    if (literals.length !== 1) return super.oneOf(literals);
    return this.test(literals[0] === true ? this.value : sql`NOT ${this.value}`);
  }
}

/** A condition that is never null: `= true` is asked as the condition itself, which joins can serve. */
export const condition = (value: Fragment): Flag => new Condition(value);
