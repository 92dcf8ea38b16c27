import { Fault, isFault } from '#fault';
import { type AstJson, isList } from './json';

/**
 * The list in the query that caused a fault. `index` is the member of the list that caused the fault; it is absent if
 * no single member is known.
 */
interface Part {
  readonly list: AstJson;
  readonly index?: number;
}

/** The location of a part of the query: its name in error messages, and the details for programs. */
export interface SourceLocation {
  readonly name: string;
  readonly details: object;
}

const parts = new WeakMap<Fault, Part>();

/**
 * Runs work on a list of the query. A fault that the work throws is marked with the list, unless it is marked already.
 * `member`: the index of the member that the work is about; by default the code of the fault decides.
 */
export function inPart<T>(list: AstJson | undefined, work: () => T, member?: number): T {
  try {
    return work();
  } catch (error) {
    if (list !== undefined && isFault(error) && !parts.has(error)) {
      const index = member ?? indexAtFault(list, error.code);
      parts.set(error, { list, ...(index === undefined ? {} : { index }) });
    }
    throw error;
  }
}

/** Which member of a condition or an extraction a fault is about. */
function indexAtFault(list: AstJson, code: string): number | undefined {
  if (!isList(list) || list.length < 2) return undefined;
  if (code === 'query.operator') return 0;
  // `["extract", columns, ["select_nodes"]]`
  if (code === 'query.entity') return list[0] === 'extract' ? 2 : 1;
  if (['query.field', 'query.relation', 'query.function'].includes(code)) return 1;
  return code === 'query.value' && list.length === 3 ? 2 : undefined;
}

/**
 * Runs work on a whole query. If the part that a fault is about is known, its location is added to the hint and the details.
 * `locationOf` returns the location for the indexes that lead to the part.
 */
export function inQuery<T>(
  query: AstJson | undefined,
  locationOf: (path: readonly number[]) => SourceLocation,
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    const part = isFault(error) ? parts.get(error) : undefined;
    const path = part === undefined || query === undefined ? undefined : pathTo(query, part);
    if (!isFault(error) || path === undefined || path.length === 0) throw error;
    const { name, details } = locationOf(path);
    const hint = `The mistake is at ${name} of the query.`;
    throw new Fault(error.kind, error.code, error.message, {
      hint: error.hint === undefined ? hint : `${error.hint} ${hint}`,
      details: { ...(typeof error.details === 'object' ? error.details : {}), ...details },
      cause: error,
    });
  }
}

/** `[2][1]`: the second member of the third one. */
export const jsonLocation = (path: readonly number[]): SourceLocation => ({
  name: path.map((index) => `[${index}]`).join(''),
  details: { path },
});

/** The indexes that lead from the query to a part of it; undefined if it is not in there. */
function pathTo(query: AstJson, { list: wanted, index }: Part): number[] | undefined {
  const lists = [query];
  const path: number[] = [];
  // Of each list on the way, the member to look at next.
  const next = [0];
  for (let list = lists.at(-1); list !== undefined; list = lists.at(-1)) {
    if (list === wanted) return index === undefined ? path : [...path, index];
    const at = next[next.length - 1]!++;
    if (!isList(list) || at >= list.length) {
      lists.pop();
      path.pop();
      next.pop();
    } else if (isList(list[at])) {
      lists.push(list[at]);
      path.push(at);
      next.push(0);
    }
  }
  return undefined;
}
