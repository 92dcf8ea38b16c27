import { excerpt } from '#fault';
import type { Language } from '../operators/language';
import type { FieldOperator } from '../operators/operator';
import type { Column, Condition, EntitySelection, FieldRef, Selection } from './ast';
import { fieldRef, operation } from './shape';
import { type AstJson, displayAst, isList } from './json';
import { malformed } from './malformed';
import { noSetHint, unknownOperatorHint } from './operator-hint';
import { inPart } from './source-location';
import { checkVersionTest, isVersionCall } from './version-test';

/**
 * Functions that read the queries inside a condition. `checkCondition` gets these functions as a parameter, because
 * conditions and selections contain each other, and imports must not have cycles.
 */
export interface InnerReaders {
  readonly language: Language;
  columns(ast: AstJson): Column[];
  fromBody(ast: AstJson, operands: readonly AstJson[]): EntitySelection;
  selection(ast: AstJson): Selection;
}

const keyedContainers = ['fact', 'parameter', 'node'];

/**
 * Refuses unknown operators, and operators with too few or too many arguments. `planCondition` checks fields and values
 * later.
 */
export function checkCondition(ast: AstJson, inner: InnerReaders): Condition {
  return inPart(ast, () => readCondition(ast, inner));
}

function readCondition(ast: AstJson, inner: InnerReaders): Condition {
  const { operator, operands } = operation(ast);
  if (operator === 'and' || operator === 'or')
    return { kind: operator, members: members(operator, operands, inner), source: ast };
  if (operator === 'not') {
    if (operands.length !== 1)
      throw malformed('arguments', `'not' takes exactly one argument, but ${operands.length} were supplied`);
    return { kind: 'not', member: checkCondition(operands[0] ?? null, inner), source: ast };
  }
  if (isVersionCall(operands[0], inner.language)) return checkVersionTest(ast, operator, operands);
  if (operator === 'in') return checkIn(ast, operands, inner);
  if (operator === 'subquery') return checkRelated(ast, operands, inner);
  const known = inner.language.fieldOperator(operator);
  if (known) return fieldTest(ast, known, operands);
  throw malformed(
    'operator',
    `${displayAst(ast)} is not well-formed: query operator '${excerpt(operator)}' is unknown`,
    {
      hint: unknownOperatorHint(operator, operands, inner.language),
    },
  );
}

/**
 * Reads a chain such as `a or (b or (c ...))` into one flat list without recursion, because PQL nests chains in this
 * way, and a chain can have thousands of members.
 */
function members(operator: 'and' | 'or', operands: readonly AstJson[], inner: InnerReaders): Condition[] {
  const found: Condition[] = [];
  let rest: readonly AstJson[] = operands;
  for (;;) {
    if (rest.length === 0)
      throw malformed('arguments', `'${operator}' takes at least one argument, but none were supplied`, {
        hint: `Write ["${operator}", condition, …], or leave it out to ask for everything.`,
      });
    for (const one of rest.slice(0, -1)) found.push(checkCondition(one, inner));
    const last = rest.at(-1) ?? null;
    const head = isList(last) ? last[0] : undefined;
    if (!isList(last) || typeof head !== 'string' || head.toLowerCase() !== operator) {
      found.push(checkCondition(last, inner));
      return found;
    }
    rest = last.slice(1);
  }
}

function fieldTest(source: AstJson, operator: FieldOperator, operands: readonly AstJson[]): Condition {
  const { name } = operator;
  if (operands.length !== 2)
    throw malformed('arguments', `${name} requires exactly two arguments`, {
      hint: `Write ["${name}", field, value].`,
    });
  const value = operands[1] ?? null;
  const field = fieldRef(operands[0] ?? null);
  operator.check?.(value);
  const test = { kind: 'test', operator: operator.negates ?? name, field, value, source } as const;
  return operator.negates === undefined ? test : { kind: 'not', member: test, source };
}

function checkIn(ast: AstJson, operands: readonly AstJson[], readers: InnerReaders): Condition {
  if (operands.length !== 2) throw malformed('arguments', 'in requires exactly two arguments');
  const fields = inFields(operands[0] ?? null);
  const source = operands[1] ?? null;
  const { operator, operands: inner } = operation(source);
  if (operator === 'array') {
    const values = inner[0];
    if (inner.length !== 1 || !isList(values))
      throw malformed('arguments', 'Operator array requires a vector argument');
    return { kind: 'in-array', fields, values, source: ast };
  }
  if (operator === 'from') return { kind: 'in-query', fields, query: readers.fromBody(source, inner), source: ast };
  if (operator === 'extract')
    return { kind: 'in-query', fields, query: extractFromSelect(source, inner, readers), source: ast };
  throw malformed('shape', `${displayAst(ast)} is not well-formed: in requires array, extract or from`, {
    hint: noSetHint(operands[0] ?? null, source),
  });
}

function inFields(ast: AstJson): FieldRef[] {
  if (!isList(ast)) return [fieldRef(ast)];
  const [head] = ast;
  if (ast.length === 2 && typeof head === 'string' && keyedContainers.includes(head)) return [fieldRef(ast)];
  if (ast.length === 0) throw malformed('field', 'in requires at least one field');
  return ast.map(fieldRef);
}

function extractFromSelect(source: AstJson, operands: readonly AstJson[], readers: InnerReaders): EntitySelection {
  const [columns, select, ...rest] = operands;
  if (columns === undefined || select === undefined || rest.length > 0)
    throw malformed(
      'shape',
      `${displayAst(source)} is not well-formed: extract takes columns and a select_<entity> query`,
    );
  const { operator, operands: inner } = operation(select);
  if (inner.length > 1)
    throw malformed('arguments', `${excerpt(operator)} takes at most one argument, but ${inner.length} were supplied`, {
      hint: operator === 'from' ? 'Write ["in", field, ["from", entity, ["extract", field, condition]]].' : undefined,
    });
  const body = inner[0] === undefined || inner[0] === null ? {} : readers.selection(inner[0]);
  const chosen = inPart(source, () => readers.columns(columns));
  return { ...body, columns: chosen, extract: source, entity: operator, form: 'select', source };
}

function checkRelated(ast: AstJson, operands: readonly AstJson[], readers: InnerReaders): Condition {
  const [entity, condition] = operands;
  if (operands.length < 1 || operands.length > 2 || typeof entity !== 'string')
    throw malformed('shape', `${displayAst(ast)} is not well-formed: subquery takes an entity and a query`);
  const body = condition === undefined || condition === null ? {} : readers.selection(condition);
  return { kind: 'related', query: { ...body, entity, form: 'subquery', source: ast }, source: ast };
}
