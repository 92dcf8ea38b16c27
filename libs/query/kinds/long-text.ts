import { all, type Fragment, sql } from '../sql/fragment';
import type { Literal, SqlTest } from './field-test';
import { Text } from './text';

/**
 * Makes a condition that follows from the equality and can use an index. `equals` makes the SQL of the equality for any
 * column.
 */
type Implied = (equals: (column: Fragment) => Fragment) => Fragment;

class LongText extends Text {
  constructor(
    value: Fragment,
    needs: readonly string[],
    private readonly implied: Implied | undefined,
  ) {
    super(value, needs);
  }

  override oneOf(literals: readonly Literal[]): SqlTest {
    const prefixes = literals.map((one) => [...String(one)].slice(0, 200).join(''));
    const hasPrefix = (column: Fragment): Fragment => this.equalsOneOf(column, prefixes);
    const conditions = [hasPrefix(sql`"left"(${this.value}, 200)`), this.equalsOneOf(this.value, literals)];
    if (this.implied) conditions.unshift(this.implied(hasPrefix));
    return this.test(all(conditions));
  }
}

/**
 * Makes the kind of a text that can be too long for an index. The index contains the first 200 characters, so equality
 * compares the prefix and the whole text.
 */
export const longText = (value: Fragment, needs: readonly string[] = [], implied?: Implied): Text =>
  new LongText(value, needs, implied);
