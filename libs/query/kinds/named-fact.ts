import type { Ordering } from '../ast/ast';
import { readSteps } from '../ast/dotted-name';
import { type AstJson, NumberText } from '../ast/json';
import { malformed } from '../ast/malformed';
import type { Fragment } from '../sql/fragment';
import { FactMember } from './fact-member';
import type { NamedKind } from './field-kind';
import type { FieldTest } from './field-test';
import { isScalar, ofOneType, shownText } from './literals';
import { valueHint, type ExpectedType } from './value-hint';

class NamedFact extends FactMember {
  override equals(value: AstJson): FieldTest {
    if (value === null || !isScalar(value)) throw refused('=', value, 'text');
    return super.equals(value);
  }

  override isIn(values: readonly AstJson[]): FieldTest {
    return super.isIn(ofOneType(values));
  }

  override orders(operator: Ordering, value: AstJson): FieldTest {
    if (!(value instanceof NumberText)) throw refused(operator, value, 'number');
    return super.orders(operator, value);
  }
}

const refused = (operator: string, value: AstJson, wanted: ExpectedType): Error =>
  malformed(
    'value',
    `Operator '${operator}' not allowed on value '${shownText(value)}'`,
    valueHint(wanted, undefined, value),
  );

export const namedFact =
  (node: Fragment): NamedKind =>
  (name) =>
    new NamedFact(node, readSteps(name), false);
