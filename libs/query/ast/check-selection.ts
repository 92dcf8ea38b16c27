import { fullLanguage, type Language } from '../operators/language';
import type { Column, Condition, EntitySelection, GroupTest, OrderTerm, Selection } from './ast';
import { checkColumns, column, functionCall } from './check-columns';
import { type InnerReaders, checkCondition } from './check-condition';
import { checkHaving } from './check-having';
import { operation } from './shape';
import { type AstJson, displayAst, isList, NumberText } from './json';
import { malformed } from './malformed';
import { unknownOperatorHint } from './operator-hint';
import { inPart } from './source-location';

const readersOf = (language: Language): InnerReaders => ({
  language,
  columns: (ast) => checkColumns(ast, language),
  fromBody: (ast, operands) => checkFromBody(ast, operands, language),
  selection: (ast) => checkSelection(ast, language),
});

/** Reads a condition, or `["extract", columns, condition?, ["group_by", ...]?, ["having", ...]?]`. */
export function checkSelection(ast: AstJson, language: Language = fullLanguage): Selection {
  return inPart(ast, () => readSelection(ast, language));
}

function readSelection(ast: AstJson, language: Language): Selection {
  const { operator, operands } = operation(ast);
  const readers = readersOf(language);
  if (operator !== 'extract') return { condition: checkCondition(ast, readers) };
  const [columns, ...rest] = operands;
  if (columns === undefined) throw malformed('arguments', 'extract requires the columns to extract');
  let condition: AstJson | undefined;
  let groupBy: Column[] | undefined;
  let groupByList: AstJson | undefined;
  let having: GroupTest[] | undefined;
  let distinct: true | undefined;
  for (const clause of rest) {
    if (clause === null) continue;
    const { operator: kind, operands: inner } = inPart(clause, () => operation(clause));
    if (kind === 'distinct' && language.has('distinct') && !distinct) {
      inPart(clause, () => checkDistinct(inner, groupBy));
      distinct = true;
    } else if (kind === 'group_by' && groupBy === undefined && !distinct) {
      if (inner.length === 0) throw malformed('arguments', 'group_by requires at least one column');
      groupBy = inner.map((one, index) => inPart(clause, () => column(one, language), index + 1));
      groupByList = clause;
    } else if (kind === 'having' && language.has('having') && having === undefined && groupBy !== undefined) {
      if (inner.length !== 1) throw malformed('arguments', 'having requires exactly one condition');
      having = checkHaving(inner[0] ?? null, language);
    } else if (language.operatorNames.includes(kind) && condition === undefined && groupBy === undefined && !distinct)
      condition = clause;
    else inPart(clause, () => notAClause(clause, kind, inner, language));
  }
  return {
    columns: checkColumns(columns, language),
    extract: ast,
    condition: condition === undefined ? undefined : checkCondition(condition, readers),
    ...{ groupBy, groupByList, having, distinct },
  };
}

function checkDistinct(operands: readonly AstJson[], groupBy: readonly Column[] | undefined): void {
  if (operands.length > 0)
    throw malformed('arguments', `distinct takes no arguments, but ${operands.length} were supplied`, {
      hint: 'Write ["extract", columns, condition, ["distinct"]].',
    });
  if (groupBy !== undefined) throw malformed('group', 'distinct cannot be combined with group_by: groups are distinct');
}

function notAClause(clause: AstJson, operator: string, operands: readonly AstJson[], language: Language): never {
  if (operator === 'having' && language.has('having'))
    throw malformed('group', 'having is allowed once, after group_by', {
      hint: 'Write ["extract", columns, condition, ["group_by", column], ["having", [">", ["function", "count"], 1]]].',
    });
  const isKnown = language.operatorNames.includes(operator) || operator === 'group_by';
  throw malformed(
    'shape',
    `${displayAst(clause)} is not a valid expression for "extract"`,
    isKnown ? {} : { hint: unknownOperatorHint(operator, operands, language) },
  );
}

/**
 * Parses a condition that the path of a request adds to the query of the client. This condition can use the full
 * language, even if clients must use the strict language.
 */
export function checkRestriction(ast: AstJson): Condition {
  return checkCondition(ast, readersOf(fullLanguage));
}

function checkFromBody(ast: AstJson, operands: readonly AstJson[], language: Language): EntitySelection {
  return inPart(ast, () => ({ ...readFromBody(ast, operands, language), source: ast }));
}

function readFromBody(ast: AstJson, operands: readonly AstJson[], language: Language): EntitySelection {
  const [entity, ...clauses] = operands;
  if (typeof entity !== 'string')
    throw malformed('shape', `${displayAst(ast)} is not well-formed: from takes an entity, a query and paging clauses`);
  let selection: Selection = {};
  const paging: { orderBy?: OrderTerm[]; orderByList?: AstJson; limit?: number; offset?: number } = {};
  const seen = new Set<string>();
  for (const [index, clause] of clauses.entries()) {
    if (clause === null && index === 0) continue;
    const { operator, operands: inner } = operation(clause);
    if (operator === 'limit' || operator === 'offset' || operator === 'order_by') {
      if (seen.has(operator)) throw malformed('paging', `Multiple '${operator}' clauses are not permitted`);
      seen.add(operator);
      const argument = inner[0];
      if (argument === undefined) throw malformed('paging', `Received '${operator}' clause without an argument`);
      if (operator === 'limit') paging.limit = wholeNumber(argument, 'limit');
      else if (operator === 'offset') paging.offset = wholeNumber(argument, 'offset');
      else {
        paging.orderBy = checkOrder(argument, language);
        paging.orderByList = argument;
      }
    } else if (index === 0) selection = checkSelection(clause, language);
    else throw malformed('shape', `${displayAst(ast)} is not well-formed: from takes one query, then paging clauses`);
  }
  return { ...selection, ...paging, entity, form: 'from' };
}

export function checkRoot(ast: AstJson, language: Language = fullLanguage): EntitySelection {
  const initialForm =
    'Your initial query must be of the form: ["from",<entity>,(<optional-query>)]. Check your query and try again.';
  if (!isList(ast) || ast[0] !== 'from' || typeof ast[1] !== 'string') throw malformed('shape', initialForm);
  const clauses = ast.slice(2);
  const others = clauses.slice(1).filter((clause) => !(isList(clause) && isPaging(clause[0])));
  if (others.length > 0) throw malformed('shape', initialForm);
  return checkFromBody(ast, ast.slice(1), language);
}

const isPaging = (name: AstJson | undefined): boolean => name === 'limit' || name === 'offset' || name === 'order_by';

function wholeNumber(ast: AstJson, what: 'limit' | 'offset'): number {
  const value = ast instanceof NumberText && ast.isInteger ? Number(ast.text) : Number.NaN;
  const least = what === 'limit' ? 1 : 0;
  if (!Number.isSafeInteger(value) || value < least)
    throw malformed(
      'paging',
      `Illegal value '${displayAst(ast)}' for :${what}; expected a ${what === 'limit' ? 'positive non-zero' : 'non-negative'} integer.`,
    );
  return value;
}

function checkOrder(ast: AstJson, language: Language): OrderTerm[] {
  if (!isList(ast)) throw malformed('paging', `order_by requires a list of fields, not ${displayAst(ast)}`);
  return ast.map((term): OrderTerm => {
    if (typeof term === 'string') return { field: term, order: 'asc' };
    const called = checkOrderCall(term, language);
    if (called !== undefined) return called;
    if (isList(term) && typeof term[0] === 'string') {
      const order = term[1] === undefined ? 'asc' : term[1];
      const direction = typeof order === 'string' ? order.toLowerCase() : order;
      if (term.length <= 2 && (direction === 'asc' || direction === 'desc'))
        return { field: term[0], order: direction };
    }
    throw malformed(
      'paging',
      `${displayAst(term)} is not a valid term of order_by: a field, or a field and asc or desc`,
    );
  });
}

/**
 * Reads a term of `order_by` that is a call `["function", …]`, or a pair of such a call and a direction. Returns
 * undefined for any other term.
 */
export function checkOrderCall(term: AstJson, language: Language): OrderTerm | undefined {
  if (!language.has('grouped-order') || !isList(term)) return undefined;
  const [first, order] = term;
  // In `["function", "desc"]`, `function` is the name of a field, because a direction follows.
  const direction = typeof order === 'string' ? order.toLowerCase() : undefined;
  const isDirection = direction === 'asc' || direction === 'desc';
  if (first === 'function') return isDirection ? undefined : { call: functionCall(term, language), order: 'asc' };
  if (!isList(first) || first[0] !== 'function' || term.length !== 2 || !isDirection) return undefined;
  return { call: functionCall(first, language), order: direction };
}
