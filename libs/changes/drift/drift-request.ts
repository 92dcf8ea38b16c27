import {
  type CompileTarget,
  type FactPath,
  type Fragment,
  readFactPath,
  readNumber,
  readParameters,
  refusedParameter,
  selectNodes,
} from '#query';
import { defaultLimits } from '#limits';
import { readParts } from '../diff/diff-request';
import { type DriftPart, driftParts } from './drift-parts';

export const driftParameters = ['by', 'min_group', 'majority', 'part', 'query', 'limit'] as const;
export const mostItems = 200;

export interface DriftRequest {
  readonly by: FactPath & { readonly name: string };
  readonly minGroup: number;
  /** If at least this percentage of the nodes of a group have the same value, the other nodes count as different. */
  readonly majority: number;
  readonly parts: readonly DriftPart[];
  readonly nodes?: Fragment | undefined;
  readonly limit: number;
}

/** Throws faults whose codes begin with `query.`, and `http.limit`. */
export function readDriftRequest(url: string, target: CompileTarget): DriftRequest {
  const limits = target.limits ?? defaultLimits;
  const parameters = readParameters(url, driftParameters, limits);
  const name = (parameters.text('by') ?? '').replace(/^facts\./, '');
  if (name === '') throw refusedParameter('by is missing: the path of the fact that groups the nodes, such as role.');
  const query = parameters.json('query');
  return {
    by: { name, ...readFactPath(name, limits) },
    minGroup: readNumber(parameters, 'min_group', { absent: 3, least: 2, most: 100_000 }),
    majority: readNumber(parameters, 'majority', { absent: 80, least: 51, most: 100 }),
    parts: readParts(parameters, driftParts),
    nodes: query === undefined ? undefined : selectNodes(query, target),
    limit: readNumber(parameters, 'limit', { absent: 50, most: mostItems }),
  };
}
