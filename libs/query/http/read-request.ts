import { excerpt } from '#fault';
import { malformed } from '../ast/malformed';
import type { AstJson } from '../ast/json';
import type { QueryRequest } from '../compile';
import type { Moment } from '../moment/moment';
import { readMoment } from '../moment/read-moment';
import { fullLanguage, type Language } from '../operators/language';
import { addedParameters, checkNames } from './allowed-parameters';
import { type GivenQuery, readEntityQuery, readRootQuery } from './read-query';
import { type CountOptions, readCountOptions, readDistinct } from './count-options';
import { type AnswerFormat, readFormat } from './format-parameter';
import type { RouteMatch } from './match-route';
import { readPaging } from './paging';
import type { RequestParameters } from './request-parameters';

export interface ReadRequest {
  /** One request, or one request for each subject of aggregated counts. */
  readonly requests: readonly QueryRequest[];
  readonly query?: GivenQuery | undefined;
  /** If absent, the Accept header decides. */
  readonly format?: AnswerFormat | undefined;
  readonly pretty: boolean;
  readonly explain: boolean;
  readonly astOnly: boolean;
  readonly moment?: Moment | undefined;
  readonly origin?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

export function readRequest(
  { route, variables }: RouteMatch,
  parameters: RequestParameters,
  language: Language = fullLanguage,
): ReadRequest {
  checkNames(
    parameters,
    route.parameters,
    addedParameters(route.answer, (addition) => language.has(addition)),
  );
  const format = readFormat(parameters);
  const root = route.entity === undefined;
  const query = root ? readRootQuery(parameters, language) : readEntityQuery(parameters);
  const restrict = restriction(route.fields ?? {}, variables);
  const base: QueryRequest = {
    entity: route.entity,
    ast: query?.ast,
    pql: query?.language === 'pql' ? query.text : undefined,
    restrict,
    scope: route.scope,
    paging: readPaging(parameters),
  };
  const further = {
    ...(parameters.flag('include_facts_expiration') ? { includeFactsExpiration: true } : {}),
    ...(parameters.flag('include_package_inventory') ? { includePackageInventory: true } : {}),
  };
  const moment = readAsOf(parameters, query);
  const origin = parameters.text('origin');
  const timeoutMs = readTimeout(parameters);
  return {
    requests: countOptions(route.parameters, parameters).map((options) => ({
      ...base,
      options: { ...options, ...further },
    })),
    ...{ query, format, moment, origin, timeoutMs },
    pretty: parameters.flag('pretty'),
    explain: readExplain(parameters),
    astOnly: parameters.flag('ast_only'),
  };
}

function countOptions(set: string, parameters: RequestParameters): CountOptions[] {
  if (set === 'events') return [readDistinct(parameters)];
  if (set === 'event-counts') return readCountOptions(parameters, false);
  return set === 'aggregate-event-counts' ? readCountOptions(parameters, true) : [{}];
}

/** Throws `query.as-of` if the moment is malformed or given twice. */
function readAsOf(parameters: RequestParameters, query: GivenQuery | undefined): Moment | undefined {
  const inQuery = query?.asOf;
  const parameter = parameters.text('as_of');
  if (inQuery !== undefined && parameter !== undefined) {
    throw malformed('as-of', 'The moment is given twice: by as_of, and by `as of` in the query.');
  }
  const given = inQuery ?? parameter;
  return given === undefined ? undefined : readMoment(given);
}

export function restriction(
  fields: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): AstJson | undefined {
  const conditions: AstJson[] = Object.entries(fields).map(([variable, field]) => [
    '=',
    field,
    variables[variable] ?? '',
  ]);
  return conditions.length > 1 ? ['and', ...conditions] : conditions[0];
}

function readExplain(parameters: RequestParameters): boolean {
  const value = parameters.text('explain');
  if (value === undefined) return false;
  if (value !== 'analyze') {
    throw malformed('parameter', `Illegal value '${excerpt(value)}' for :explain; expected \`analyze\`.`);
  }
  return true;
}

/** Returns milliseconds. Throws `query.parameter` if the parameter is malformed. */
export function readTimeout(parameters: RequestParameters): number | undefined {
  const text = parameters.text('timeout');
  if (text === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds === 0) {
    throw malformed(
      'parameter',
      `Illegal value '${excerpt(text)}' for :timeout; expected a positive whole number of seconds.`,
    );
  }
  return seconds * 1000;
}
