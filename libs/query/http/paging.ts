import { excerpt, isFault } from '#fault';
import { checkLimit, type Limits } from '#limits';
import { malformed } from '../ast/malformed';
import { type AstJson, NumberText, isList, isMap } from '../ast/json';
import { parseAst } from '../ast/parse-ast';
import type { QueryRequest } from '../compile';
import type { RequestParameters } from './request-parameters';

type Paging = NonNullable<QueryRequest['paging']>;
type OrderTerm = NonNullable<Paging['orderBy']>[number];

/** Throws `query.paging` if a parameter is malformed. */
export function readPaging(parameters: RequestParameters): Paging {
  const limit = readWhole(parameters, 'limit', 1, 'a positive non-zero integer');
  const offset = readWhole(parameters, 'offset', 0, 'a non-negative integer');
  const orderBy = readOrderBy(parameters);
  return {
    ...{ limit, offset },
    orderBy: orderBy.length === 0 ? undefined : orderBy,
    ...(parameters.flag('include_total') ? { includeTotal: true } : {}),
  };
}

const greatest = 2n ** 63n - 1n;

function readWhole(parameters: RequestParameters, name: string, least: number, wanted: string): number | undefined {
  const text = parameters.text(name);
  if (text === undefined) return undefined;
  const value = /^\+?\d{1,19}$/.test(text) ? BigInt(text.replace('+', '')) : -1n;
  if (value < BigInt(least) || value > greatest) illegal(text, name, wanted);
  // A larger number becomes 2^53 - 1, because no result has that many rows.
  return Number(value > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : value);
}

function readOrderBy(parameters: RequestParameters): OrderTerm[] {
  const given = parameters.value('order_by');
  if (given === undefined || given === '') return [];
  const value = !parameters.fromBody && typeof given === 'string' ? parsed(given, parameters.limits) : given;
  if (value === null || (isMap(value) && value.size === 0)) return [];
  if (!isList(value)) return illegal(shown(value), 'order_by', 'an array of maps');
  checkLimit(parameters.limits, 'queryColumns', value.length);
  return value.map((term) => readTerm(term, value));
}

function parsed(text: string, limits: Limits): AstJson {
  try {
    return parseAst(text, limits);
  } catch (error) {
    if (isFault(error) && error.code === 'query.limit') throw error;
    return illegal(text, 'order_by', 'a JSON array of maps');
  }
}

function readTerm(term: AstJson, all: AstJson): OrderTerm {
  if (!isMap(term)) return illegal(shown(all), 'order_by', 'an array of maps');
  const unknown = [...term.keys()].find((key) => key !== 'field' && key !== 'order');
  if (unknown !== undefined) return illegalTerm(term, `unknown key '${excerpt(unknown)}'.`);
  const field = term.get('field');
  if (field === undefined || field === null) return illegalTerm(term, 'missing required key field.');
  if (typeof field !== 'string' && !isList(field)) return illegalTerm(term, 'the field must be a text.');
  const order = term.get('order') ?? 'asc';
  const direction = typeof order === 'string' ? order.toLowerCase() : '';
  if (direction !== 'asc' && direction !== 'desc') return illegalTerm(term, "'order' must be either 'asc' or 'desc'");
  return { field, order: direction };
}

function illegal(value: string, name: string, wanted: string): never {
  throw malformed('paging', `Illegal value '${excerpt(value)}' for :${name}; expected ${wanted}.`);
}

function illegalTerm(term: AstJson, problem: string): never {
  throw malformed('paging', `Illegal value '${excerpt(shown(term))}' in :order_by; ${problem}`);
}

/** Formats JSON as PuppetDB's messages do: `{:field "certname"}`. */
function shown(value: AstJson): string {
  if (value instanceof NumberText) return value.text;
  if (isList(value)) return `[${value.map(shown).join(' ')}]`;
  if (isMap(value)) return `{${[...value].map(([key, one]) => `:${key} ${shown(one)}`).join(', ')}}`;
  return JSON.stringify(value);
}
