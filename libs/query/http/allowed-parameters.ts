import { excerpt } from '#fault';
import { malformed, meantHint } from '../ast/malformed';
import type { RequestParameters } from './request-parameters';
import type { Addition } from '../additions';
import type { ParameterSet, Route } from './routes';

/**
 * Parameters that all routes accept. `optimize_drop_unused_joins` controls how PuppetDB plans a query, and has no
 * effect in this service.
 */
const common = [
  'pretty',
  'origin',
  'timeout',
  'explain',
  'include_facts_expiration',
  'include_package_inventory',
  'optimize_drop_unused_joins',
] as const;
const paged = ['query', 'limit', 'offset', 'order_by', 'include_total'] as const;
const distinct = ['distinct_resources', 'distinct_start_time', 'distinct_end_time'] as const;
const counted = ['summarize_by', 'count_by', 'counts_filter'] as const;

export type ParameterName =
  (typeof common | typeof paged | typeof distinct | typeof counted)[number] | 'ast_only' | AddedParameter;

type AddedParameter = 'as_of' | 'format';

export const addedParameters = (answer: Route['answer'], has: (addition: Addition) => boolean): AddedParameter[] => [
  ...(has('as-of') ? (['as_of'] as const) : []),
  ...(answer === 'list' && has('formats') ? (['format'] as const) : []),
];

/** The parameters that PuppetDB accepts. The service also accepts the parameters from `addedParameters`. */
export const allowedParameters: Readonly<Record<ParameterSet, readonly ParameterName[]>> = {
  bare: common,
  list: [...common, ...paged],
  root: [...common, ...paged, 'ast_only'],
  events: [...common, ...paged, ...distinct],
  'event-counts': [...common, ...paged, ...distinct, ...counted],
  'aggregate-event-counts': [...common.filter((name) => name !== 'pretty'), 'query', ...distinct, ...counted],
};

/** The root path also requires `query`, in the URL or in a body. */
export const requiredParameters: Partial<Record<ParameterSet, readonly ParameterName[]>> = {
  'event-counts': ['summarize_by'],
  'aggregate-event-counts': ['summarize_by'],
};

/** Throws `query.parameter` if the request has an unknown parameter or lacks a required parameter. */
export function checkNames(parameters: RequestParameters, set: ParameterSet, further: readonly string[] = []): void {
  const known: readonly string[] = [...allowedParameters[set], ...further];
  for (const name of parameters.names) {
    if (known.includes(name)) continue;
    throw malformed('parameter', `Unsupported query parameter '${excerpt(name)}'`, meantHint(name, known));
  }
  const needed = set === 'root' && !parameters.fromBody ? ['query'] : (requiredParameters[set] ?? []);
  for (const name of needed) {
    if (!parameters.has(name)) throw malformed('parameter', `Missing required query parameter '${name}'`);
  }
}
