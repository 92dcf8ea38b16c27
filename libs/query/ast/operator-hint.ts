import { excerpt, nearest } from '#fault';
import { operatorNames } from '../operators/operators';
import { type AstJson, isList, stringifyAst } from './json';

const operators = [...operatorNames, 'extract'];

/** What other languages call it. */
const habits = new Map([
  ['==', '='],
  ['===', '='],
  ['is', '='],
  ['<>', '!='],
  ['=~', '~'],
  ['like', '~'],
  ['matches', '~'],
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
]);

/** What to write in place of an operator that does not exist. */
export function unknownOperatorHint(operator: string, operands: readonly AstJson[]): string {
  const [second, ...rest] = operands;
  if (rest.length === 1 && typeof second === 'string' && operators.includes(second.toLowerCase()))
    return `The operator comes first: ${excerpt(stringifyAst([second, operator, ...rest]))}.`;
  const meant = habits.get(operator) ?? nearest(operator, operators);
  return `${meant === undefined ? '' : `Did you mean '${meant}'? `}Operators are ${operators.join(' ')}.`;
}

/** What to write in place of a list that does not begin with an operator. */
export const noOperatorHint = (first: AstJson): string =>
  isList(first)
    ? 'Join several conditions by ["and", condition, …] or ["or", condition, …].'
    : 'A condition begins with its operator: ["=", "certname", "web1"].';
