import type { Language } from '../operators/language';
import { isOrdering } from '../operators/ordering';
import type { GroupTest } from './ast';
import { functionCall } from './check-columns';
import { type AstJson, displayAst, isList, NumberText } from './json';
import { malformed } from './malformed';
import { inPart } from './source-location';
import { operation } from './shape';

const number = /^-?\d{1,30}(?:\.\d{1,30})?$/;

export function checkHaving(ast: AstJson, language: Language): GroupTest[] {
  return inPart(ast, () => {
    const { operator, operands } = operation(ast);
    if (operator === 'and' && operands.length > 0) return operands.flatMap((one) => checkHaving(one, language));
    return [checkGroupTest(ast, operator, operands, language)];
  });
}

function checkGroupTest(ast: AstJson, operator: string, operands: readonly AstJson[], language: Language): GroupTest {
  if (operator !== '=' && !isOrdering(operator))
    throw malformed('operator', `${displayAst(ast)} is not well-formed: having takes the operators = < > <= >= and`);
  const [call, value] = operands;
  if (operands.length !== 2 || !isList(call) || call[0] !== 'function')
    throw malformed('arguments', `${operator} in having requires a function and a number`, {
      hint: `Write ["${operator}", ["function", "count"], 1], in PQL having count() ${operator} 1.`,
    });
  if (!(value instanceof NumberText) || !number.test(value.text))
    throw malformed(
      'value',
      `having compares with a decimal number of at most 30 digits before and after the point, not ${displayAst(value ?? null)}`,
    );
  return { call: functionCall(call, language), operator, value: value.text, source: ast };
}
