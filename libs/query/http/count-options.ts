import { excerpt } from '#fault';
import { malformed } from '../ast/malformed';
import { isList } from '../ast/json';
import { readTimestamp } from '../ast/timestamp';
import type { QueryRequest } from '../compile';
import { subjectTypes } from '../plan/plan-event-counts';
import type { RequestParameters } from './request-parameters';

export type CountOptions = NonNullable<QueryRequest['options']>;

export const countable = ['certname', 'resource'] as const;

/**
 * Returns one entry for each subject in `summarize_by`. Only aggregate-event-counts allows several subjects, separated
 * by commas. Throws `query.parameter` if a parameter is malformed.
 */
export function readCountOptions(parameters: RequestParameters, severalSubjects: boolean): CountOptions[] {
  const shared = { ...readCountBy(parameters), ...readFilter(parameters), ...readDistinct(parameters) };
  const given = parameters.text('summarize_by') ?? '';
  const wanted = severalSubjects ? given.split(',').map((subject) => subject.trim()) : [given];
  const subjects = wanted.map((subject) => oneOf('summarize_by', subject, subjectTypes));
  return [...new Set(subjects)].map((summarizeBy) => ({ ...shared, summarizeBy }));
}

function readCountBy(parameters: RequestParameters): CountOptions {
  const countBy = parameters.text('count_by');
  return countBy === undefined ? {} : { countBy: oneOf('count_by', countBy, countable) };
}

function oneOf<T extends string>(name: string, value: string, values: readonly T[]): T {
  const found = values.find((one) => one === value);
  if (found !== undefined) return found;
  throw malformed('parameter', `Unsupported value for '${name}': '${excerpt(value)}'`, {
    hint: `It is one of ${values.join(', ')}.`,
  });
}

function readFilter(parameters: RequestParameters): CountOptions {
  const countsFilter = parameters.json('counts_filter');
  if (countsFilter === undefined) return {};
  if (!isList(countsFilter)) {
    throw malformed('parameter', 'The parameter \'counts_filter\' must be a JSON array such as [">", "failures", 0].');
  }
  return { countsFilter };
}

/** Throws `query.parameter` if the request has only some of the three parameters, or if a time is malformed. */
export function readDistinct(parameters: RequestParameters): CountOptions {
  const names = ['distinct_resources', 'distinct_start_time', 'distinct_end_time'];
  const given = names.filter((name) => parameters.has(name));
  if (given.length === 0) return {};
  if (given.length === 2 && !parameters.has('distinct_resources')) {
    throw malformed(
      'parameter',
      "'distinct_resources' query parameter must accompany parameters 'distinct_start_time' and 'distinct_end_time'",
    );
  }
  const start = parameters.text('distinct_start_time');
  const end = parameters.text('distinct_end_time');
  if (given.length < 3 || start === undefined || end === undefined) {
    throw malformed(
      'parameter',
      "'distinct_resources' query parameter requires accompanying parameters 'distinct_start_time' and 'distinct_end_time'",
    );
  }
  const [from, to] = [readTimestamp(start), readTimestamp(end)];
  if (from === undefined || to === undefined) {
    throw malformed(
      'parameter',
      `query parameters 'distinct_start_time' and 'distinct_end_time' must be valid datetime strings: ${excerpt(start)} ${excerpt(end)}`,
    );
  }
  return parameters.flag('distinct_resources') ? { distinctResources: { start: from, end: to } } : {};
}
