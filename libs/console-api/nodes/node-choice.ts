import { excerpt } from '#fault';
import {
  type AstJson,
  type CompileTarget,
  type Fragment,
  isList,
  isMap,
  refusedParameter,
  type RequestParameters,
  selectNodes,
} from '#query';
import { defaultLimits } from '#limits';
import type { FailureChoice } from '../failures/failed-events';
import { readDurationOf } from '../reading/parameters';
import { type NodeField, readNodeField } from './node-field';
import { isNodeStatus } from './node-status';

export interface NodeChoice {
  readonly unreportedAfterMs: number;
  readonly text?: string;
  /** SQL that selects the keys of the nodes that match the query. */
  readonly query?: Fragment;
  readonly failure?: FailureChoice;
  /**
   * A node matches if, for each entry, its value of `field` is one of `values`. The value `null` matches nodes that
   * have no value for the field.
   */
  readonly where: readonly { readonly field: NodeField; readonly values: readonly AstJson[] }[];
}

export const choiceParameters = ['where', 'text', 'query', 'cause', 'failing_class', 'unreported_after'] as const;

const mostFields = 10;
const mostValues = 200;
/** Largest number of characters in the searched text. No certname is longer. */
const mostCharacters = 1_000;

/** Throws a fault whose code begins with `query.` if a parameter is malformed. */
export function readChoice(parameters: RequestParameters, target: CompileTarget): NodeChoice {
  const text = parameters.text('text');
  if (text !== undefined && text.length > mostCharacters)
    throw refusedParameter(`text has ${text.length} characters; at most ${mostCharacters} are allowed.`);
  const query = parameters.json('query');
  const failure = readFailure(parameters);
  return {
    unreportedAfterMs: readDurationOf(parameters, 'unreported_after', { absent: '2h', least: '1m', most: '31d' }),
    where: readWhere(parameters, target),
    ...(text === undefined || text === '' ? {} : { text }),
    ...(query === undefined ? {} : { query: selectNodes(query, target) }),
    ...(failure === undefined ? {} : { failure }),
  };
}

function readFailure(parameters: RequestParameters): FailureChoice | undefined {
  const cause = parameters.text('cause');
  const failingClass = parameters.text('failing_class');
  if (cause === undefined) return failingClass === undefined ? undefined : { failingClass: readClass(failingClass) };
  if (failingClass !== undefined) throw refusedParameter('cause and failing_class exclude each other.');
  if (!/^[0-9a-f]{32}$/.test(cause)) throw refusedParameter('cause is the key of a cause, 32 hexadecimal digits.');
  return { cause };
}

function readClass(name: string): string {
  if (name.length <= mostCharacters && !name.includes('\0')) return name;
  throw refusedParameter(`failing_class has at most ${mostCharacters} characters, and no U+0000.`);
}

function readWhere(parameters: RequestParameters, { limits = defaultLimits }: CompileTarget): NodeChoice['where'] {
  const map = parameters.json('where');
  if (map === undefined) return [];
  if (!isMap(map)) throw refusedParameter('where is a JSON object of lists, such as {"status":["failed"]}.');
  if (map.size > mostFields) throw refusedParameter(`where has ${map.size} fields; at most ${mostFields} are allowed.`);
  return [...map].map(([name, values]) => {
    const field = readNodeField(name, limits);
    if (!isList(values) || values.length === 0 || values.length > mostValues)
      throw refusedParameter(`where has for '${excerpt(name)}' no list of 1 to ${mostValues} values.`);
    for (const value of values) checkValue(field, value);
    return { field, values };
  });
}

function checkValue({ kind, name }: NodeField, value: AstJson): void {
  if (isList(value) || isMap(value))
    throw refusedParameter(
      `where compares '${excerpt(name)}' with a list or an object, and only with single values it can.`,
    );
  if (kind === 'status' && !isNodeStatus(value))
    throw refusedParameter('A status is failed, unreported, noop, changed or unchanged.');
  if (kind === 'environment' && value !== null && typeof value !== 'string')
    throw refusedParameter('An environment is a text, or null.');
}
