import { Fault } from '#fault';
import { malformed } from '../ast/malformed';
import { type AstJson, isList } from '../ast/json';
import { checkSize } from '../ast/check-size';
import { parseAst } from '../ast/parse-ast';
import type { Language } from '../operators/language';
import { parseDatedPql } from '../pql';
import type { RequestParameters } from './request-parameters';

export interface GivenQuery {
  readonly ast: AstJson;
  /** Absent if the request body contains the query as JSON. */
  readonly text?: string;
  readonly language: 'pql' | 'json';
  readonly asOf?: AstJson;
}

const rootForm =
  'Your initial query must be of the form: ["from",<entity>,(<optional-query>)]. Check your query and try again.';

export function readEntityQuery(parameters: RequestParameters): GivenQuery | undefined {
  const value = parameters.value('query');
  if (value === undefined || value === '') return undefined;
  const ast = typeof value === 'string' ? parseAst(value, parameters.limits) : value;
  if (ast === null) return undefined;
  if (!isList(ast)) throw notAList();
  if (typeof value !== 'string') checkSize(ast, parameters.limits);
  return { ast, language: 'json', ...(typeof value === 'string' ? { text: value } : {}) };
}

export function readRootQuery(parameters: RequestParameters, language: Language): GivenQuery {
  const value = parameters.value('query');
  if (value === undefined) throw malformed('shape', rootForm);
  if (typeof value !== 'string') {
    if (!isList(value)) throw notAList();
    checkSize(value, parameters.limits);
    return { ast: value, language: 'json' };
  }
  // A PQL query never begins with a bracket.
  if (value.trimStart().startsWith('['))
    return { ast: parseAst(value, parameters.limits), language: 'json', text: value };
  const { query, asOf } = parseDatedPql(value, parameters.limits, language);
  return { ast: query, language: 'pql', text: value, ...(asOf === undefined ? {} : { asOf }) };
}

const notAList = (): Fault =>
  malformed('shape', 'The query must be a JSON array such as ["=", "certname", "web01"], or a text that holds one.');
