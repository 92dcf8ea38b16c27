import type { Ordering } from '../ast/ast';
import { type AstJson, NumberText } from '../ast/json';
import type { Fragment } from '../sql/fragment';
import type { FieldTest } from './field-test';
import { incompatible, numberText, orderedNumber } from './literals';
import { Scalar } from './scalar';

class Integer extends Scalar {
  readonly name = 'integer';
  readonly noun = 'a number';
  readonly meaning = 'a whole number';
  readonly type = 'numeric';

  protected literal(value: AstJson, label: string): string {
    const number = numberText(value);
    if (number !== undefined) return number;
    throw incompatible('numeric', 'number', value, label);
  }

  protected element(value: AstJson, label: string): string | undefined {
    if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return value;
    return value instanceof NumberText ? this.literal(value, label) : undefined;
  }

  override orders(operator: Ordering, value: AstJson, label: string): FieldTest {
    return this.ordered(operator, orderedNumber(operator, value, label));
  }
}

export const integer = (value: Fragment, needs?: readonly string[]): Scalar => new Integer(value, needs);
