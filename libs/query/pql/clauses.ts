import { NumberText, type AstJson } from '../ast/json';
import { readField, readFunction } from './fields';
import { readNumber } from './literals';
import type { Scanner } from './scanner';

/**
 * Clauses after a condition: one `group by` with its `having`, then limit, offset and order by in any order. The strict
 * language does not allow paging clauses after `group by`.
 */
export interface Clauses {
  readonly groupBy?: AstJson;
  readonly having?: AstJson;
  readonly paging: AstJson[];
}

export function readClauses(scanner: Scanner): Clauses {
  const start = scanner.position;
  scanner.blanks();
  const groupBy = readGroupBy(scanner);
  if (groupBy === undefined) return { paging: readPaging(scanner, start) };
  const having = scanner.language.has('having') ? readHaving(scanner) : undefined;
  const paging = scanner.language.has('grouped-order') ? readPaging(scanner, scanner.position) : [];
  return { groupBy, ...(having === undefined ? {} : { having }), paging };
}

/** Reads limit, offset and order by in any order. Returns to the position `start` if the text has no such clause. */
function readPaging(scanner: Scanner, start: number): AstJson[] {
  const paging: AstJson[] = [];
  let end = start;
  for (;;) {
    scanner.position = end;
    scanner.blanks();
    const clause = readCount(scanner, 'limit') ?? readCount(scanner, 'offset') ?? readOrderBy(scanner);
    if (clause === undefined) break;
    paging.push(clause);
    end = scanner.position;
  }
  scanner.position = end;
  return paging;
}

/** If no number follows, `limit` is the name of a field. */
function readCount(scanner: Scanner, name: 'limit' | 'offset'): AstJson | undefined {
  const start = scanner.position;
  if (scanner.take(name) && scanner.blanks()) {
    const digits = scanner.match(/[0-9]+/y, 'a whole number');
    if (digits !== undefined) return [name, new NumberText(digits.replace(/^0+(?=.)/, ''))];
  }
  scanner.position = start;
  return undefined;
}

function readGroupBy(scanner: Scanner): AstJson | undefined {
  if (!takeKeyword(scanner, 'group by')) return undefined;
  const items = series(scanner, () => readFunction(scanner) ?? readField(scanner));
  return ['group_by', ...items];
}

const comparisons = ['<=', '>=', '<', '>', '='];

/**
 * Reads a clause such as `having count() > 1 and max(value) < 5`. Returns undefined and does not move the scanner if
 * the text has no such clause.
 */
function readHaving(scanner: Scanner): AstJson | undefined {
  const start = scanner.position;
  scanner.blanks();
  if (!takeKeyword(scanner, 'having')) {
    scanner.position = start;
    return undefined;
  }
  const tests = [readGroupTest(scanner)];
  for (let end = scanner.position; ; end = scanner.position) {
    scanner.blanks();
    if (!takeKeyword(scanner, 'and')) {
      scanner.position = end;
      return ['having', tests.length === 1 ? tests[0]! : ['and', ...tests]];
    }
    tests.push(readGroupTest(scanner));
  }
}

function readGroupTest(scanner: Scanner): AstJson[] {
  const start = scanner.position;
  scanner.count.add();
  const call = readFunction(scanner);
  if (call === undefined)
    throw scanner.fault(start, 'having compares a function of the group with a number: having count() > 1.');
  scanner.blanks();
  const operator = comparisons.find((one) => scanner.take(one));
  if (operator === undefined) throw scanner.failure();
  scanner.blanks();
  const value = readNumber(scanner);
  if (value === undefined) throw scanner.failure();
  return scanner.startsAt(start, [operator, call, value]);
}

function readOrderBy(scanner: Scanner): AstJson | undefined {
  if (!takeKeyword(scanner, 'order by')) return undefined;
  const items = series(scanner, () => {
    const start = scanner.position;
    const field = readFunction(scanner) ?? readField(scanner);
    if (field === undefined) return undefined;
    const end = scanner.position;
    if (scanner.blanks()) {
      if (takeWord(scanner, 'asc')) return scanner.startsAt(start, [field, 'asc']);
      if (takeWord(scanner, 'desc')) return scanner.startsAt(start, [field, 'desc']);
    }
    scanner.position = end;
    return scanner.startsAt(start, field);
  });
  return ['order_by', items];
}

function series(scanner: Scanner, read: () => AstJson | undefined): AstJson[] {
  const items: AstJson[] = [];
  for (;;) {
    const item = read();
    if (item === undefined) throw scanner.failure();
    items.push(item);
    const end = scanner.position;
    scanner.blanks();
    if (!scanner.take(',')) {
      scanner.position = end;
      return items;
    }
    scanner.blanks();
  }
}

function takeKeyword(scanner: Scanner, keyword: string): boolean {
  const start = scanner.position;
  if (scanner.take(keyword) && scanner.blanks()) return true;
  scanner.position = start;
  return false;
}

function takeWord(scanner: Scanner, word: string): boolean {
  const start = scanner.position;
  if (scanner.take(word) && !/[a-zA-Z0-9_]/.test(scanner.peek())) return true;
  scanner.position = start;
  scanner.missed(`'${word}'`);
  return false;
}
