import { excerpt, nearest } from '#fault';
import type { Language } from '../operators/language';
import { type AstJson, isList, stringifyAst } from './json';

/** Maps an operator of another language to the operator that the client probably means. */
const habits = new Map([
  ['==', '='],
  ['===', '='],
  ['is', '='],
  ['<>', '!='],
  ['=~', '~'],
  ['like', '~'],
  ['ilike', '~*'],
  ['matches', '~'],
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
  ['is null', 'null?'],
  ['is not null', 'null?'],
  ['isnull', 'null?'],
]);

const fieldName = /^[a-z0-9_]+\??$/;

export function unknownOperatorHint(operator: string, operands: readonly AstJson[], language: Language): string {
  const operators = [...language.operatorNames, 'extract'];
  const [second, ...rest] = operands;
  if (rest.length === 1 && typeof second === 'string' && operators.includes(second.toLowerCase()))
    return `The operator comes first: ${excerpt(stringifyAst([second, operator, ...rest]))}.`;
  if (rest.length === 0 && second !== undefined && second !== null && !isList(second) && fieldName.test(operator))
    return `A condition begins with its operator: ${excerpt(stringifyAst(['=', operator, second]))}.`;
  const habit = habits.get(operator) ?? '';
  const meant = operators.includes(habit) ? habit : nearest(operator, operators);
  return `${meant === undefined ? '' : `Did you mean '${meant}'? `}Operators are ${operators.join(' ')}.`;
}

export const noOperatorHint = (first: AstJson): string =>
  isList(first)
    ? 'Join several conditions by ["and", condition, …] or ["or", condition, …].'
    : 'A condition begins with its operator: ["=", "certname", "web1"].';

export function noSetHint(field: AstJson, given: AstJson): string | undefined {
  const name = typeof field === 'string' ? field : 'certname';
  if (!isList(given)) return undefined;
  const [first] = given;
  if (typeof first === 'string' && first.startsWith('select_'))
    return `Write ["in", "${excerpt(name)}", ["extract", "${excerpt(name)}", ["${excerpt(first)}", condition]]].`;
  if (given.some(isList)) return undefined;
  return `Write ${excerpt(stringifyAst(['in', name, ['array', [...given]]]))}.`;
}
