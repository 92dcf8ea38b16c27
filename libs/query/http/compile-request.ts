import type { Sql } from '#database';
import { arrayLiteral } from '#database/sql-text';
import { compileQuery, type CompiledQuery, type QueryRequest } from '../compile';
import { languageOf, type QuerySettings, targetOf } from '../run/query-options';
import { reportPart, type ReportPart } from '../sql/report-parts';
import { astText, nestChains } from './ast-text';
import type { RouteMatch } from './match-route';
import { prettyJson } from './pretty-json';
import { type ReadRequest, readRequest } from './read-request';
import { parametersOfBody, parametersOfUrl } from './request-parameters';

export interface RequestText {
  readonly match: RouteMatch;
  readonly url: string;
  /** The body of a POST, which contains the parameters of the request. Parameters in the URL of a POST are ignored. */
  readonly body?: Uint8Array;
  readonly settings: QuerySettings;
}

export interface CompiledRequest extends Omit<ReadRequest, 'requests' | 'query' | 'astOnly'> {
  /** One statement, or one statement for each subject of aggregated counts. The answer concatenates their rows. */
  readonly statements: readonly CompiledQuery[];
  /** The query as JSON. Present if the request has `ast_only`. */
  readonly ast?: string;
}

/**
 * Takes and returns plain data, so that a second thread can compile requests. Throws faults `query.…` and `pql.syntax`.
 */
export function compileRequest({ match, url, body, settings }: RequestText): CompiledRequest {
  const { limits } = settings;
  const parameters =
    body === undefined
      ? parametersOfUrl(url, limits)
      : parametersOfBody(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8'), limits);
  const { requests, query, astOnly, ...read } = readRequest(match, parameters, languageOf(settings));
  const target = { ...targetOf(settings), isPast: read.moment !== undefined };
  const { route } = match;
  const compile = (request: QueryRequest): CompiledQuery => {
    if (read.explain) {
      const { text, values } = compileQuery(request, target).rows;
      return { rows: { text: `EXPLAIN (ANALYZE, VERBOSE, BUFFERS, FORMAT JSON) ${text}`, values } };
    }
    if (route.answer === 'record') return compileQuery({ ...request, paging: { limit: 1 } }, target);
    if (route.answer === 'list') return compileQuery(request, target);
    const part = route.path.slice(route.path.lastIndexOf('/') + 1) as ReportPart;
    return { rows: reportPart(compileQuery({ ...request, ast: ['extract', [part]] }, target).rows, part) };
  };
  // A query with `ast_only` is compiled too, because otherwise invalid queries would be accepted.
  const statements = requests.map((request): CompiledQuery => {
    const { rows, total } = compile(request);
    return { rows: withLiterals(rows), ...(total && { total: withLiterals(total) }) };
  });
  if (!astOnly) return { ...read, statements };
  const ast = query?.ast ?? null;
  return { ...read, statements: [], ast: prettyJson(astText(query?.language === 'pql' ? nestChains(ast) : ast)) };
}

/** Converts arrays to text here, because the driver would spend up to 200 ms of the main thread on a large array. */
const withLiterals = (statement: Sql): Sql => ({
  ...statement,
  values: statement.values.map((value: unknown) =>
    Array.isArray(value) ? arrayLiteral(value as (string | boolean)[]) : value,
  ),
});
