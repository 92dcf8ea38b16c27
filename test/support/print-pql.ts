import { type AstJson, NumberText, isList } from '../../libs/query/ast/json';
import { fieldOperator } from '../../libs/query/operators/operators';
import { isOrdering } from '../../libs/query/operators/ordering';

/**
 * Converts an AST in JSON to PQL, the inverse of `parsePql`. Throws a TypeError for forms that PQL does not have (a
 * map, `null`, an unknown operator).
 */
export function printPql(query: AstJson): string {
  const [from, entity, ...rest] = list(query);
  if (from !== 'from' || typeof entity !== 'string') throw unprintable(query);
  const paging = rest.filter((clause) => isClause(clause));
  const [head, ...more] = rest.filter((clause) => !isClause(clause));
  const extract = isList(head) && head[0] === 'extract' ? head : undefined;
  const clauses = extract === undefined ? [...(head === undefined ? [] : [head]), ...more] : extract.slice(2);
  const selected = clauses.filter((clause) => !isDistinct(clause));
  const distinct = selected.length < clauses.length ? 'distinct ' : '';
  const fields = extract === undefined ? '' : `[${distinct}${list(extract[1]).map(printField).join(', ')}]`;
  return `${entity}${fields} {${printBody([...selected, ...paging])}}`;
}

const clauseNames = ['limit', 'offset', 'order_by'];
const isClause = (node: AstJson): boolean => isList(node) && clauseNames.includes(word(node[0]));

const isDistinct = (node: AstJson): boolean => isList(node) && node.length === 1 && node[0] === 'distinct';

function printBody(parts: readonly AstJson[]): string {
  return parts.length === 0 ? '' : ` ${parts.map(printPart).join(' ')} `;
}

function printPart(part: AstJson): string {
  const [name, argument] = list(part);
  if (name === 'limit' || name === 'offset') return `${name} ${printValue(argument)}`;
  if (name === 'order_by') return `order by ${list(argument).map(printOrder).join(', ')}`;
  if (name === 'group_by') return `group by ${list(part).slice(1).map(printField).join(', ')}`;
  if (name === 'having') return `having ${printCondition(argument ?? null)}`;
  return printCondition(part);
}

function printOrder(item: AstJson): string {
  if (!isList(item) || item[0] === 'function') return printField(item);
  return `${printField(item[0])} ${word(item[1])}`;
}

function printCondition(node: AstJson): string {
  const [operator, left, right] = list(node);
  switch (operator) {
    case 'and':
    case 'or':
      return list(node).slice(1).map(printOperand).join(` ${operator} `);
    case 'not':
      return `!${printOperand(left)}`;
    case 'subquery':
      return `${word(left)} {${printBody(list(node).slice(2))}}`;
    case 'in':
      return `${printField(left)} in ${isList(right) && right[0] === 'array' ? printValue(right[1]) : printPql(right ?? null)}`;
    default:
      return printTest(word(operator), left, right) ?? unprintableCondition(node);
  }
}

function printTest(operator: string, field: AstJson | undefined, value: AstJson | undefined): string | undefined {
  const isVersion = isList(field) && field[0] === 'function' && field[1] === 'version';
  for (const form of fieldOperator(operator)?.pql ?? []) {
    if ('suffix' in form) {
      if (form.value === value) return `${printField(field)} ${form.suffix}`;
    } else if (form.negated !== true)
      return `${printField(field)} ${form.infix} ${isVersion ? `version(${printValue(value)})` : isOrdering(operator) && isList(value) ? printTime(value) : printValue(value)}`;
  }
  return undefined;
}

/** Formats `now()`, `now() - 2h`. */
function printTime(value: readonly AstJson[]): string {
  const [operator, , duration] = value;
  return value.length === 1 ? 'now()' : `now() ${word(operator)} ${word(duration)}`;
}

function unprintableCondition(node: AstJson): never {
  throw unprintable(node);
}

const printOperand = (node: AstJson | undefined): string =>
  isList(node) && (node[0] === 'and' || node[0] === 'or') ? `(${printCondition(node)})` : printCondition(node ?? null);

function printField(field: AstJson | undefined): string {
  if (typeof field === 'string') return field;
  const [head, name, ...rest] = list(field);
  if (head !== 'function') return `[${list(field).map(printField).join(', ')}]`;
  const [of, ...texts] = rest;
  return `${word(name)}(${[...(of === undefined ? [] : [printField(of)]), ...texts.map(printValue)].join(', ')})`;
}

function printValue(value: AstJson | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof NumberText) return value.text;
  return `[${list(value).map(printValue).join(', ')}]`;
}

function word(node: AstJson | undefined): string {
  if (typeof node === 'string') return node;
  throw unprintable(node);
}

function list(node: AstJson | undefined): readonly AstJson[] {
  if (isList(node)) return node;
  throw unprintable(node);
}

const unprintable = (node: AstJson | undefined): TypeError =>
  new TypeError(`PQL has no form for ${node === undefined ? 'nothing' : typeof node}`);
