import { Fault, isFault } from '#fault';
import { type AstJson, isList } from './json';

/** The list in the query that caused a fault. `index` is the faulty member of this list. */
interface Part {
  readonly list: AstJson;
  readonly index?: number;
}

/** The location of a part of the query: `name` for error messages, `details` for programs. */
export interface SourceLocation {
  readonly name: string;
  readonly details: object;
}

const parts = new WeakMap<Fault, Part>();

/**
 * If `work` throws a fault, records `list` as its cause, unless an inner list is already recorded. `member` is the
 * index of the member that `work` reads. Without `member`, the code of the fault determines the index.
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

function indexAtFault(list: AstJson, code: string): number | undefined {
  if (!isList(list) || list.length < 2) return undefined;
  if (code === 'query.operator') return 0;
  // `["extract", columns, ["select_nodes"]]` names the entity in its third member.
  if (code === 'query.entity') return list[0] === 'extract' ? 2 : 1;
  if (['query.field', 'query.relation', 'query.function'].includes(code)) return 1;
  return code === 'query.value' && list.length === 3 ? 2 : undefined;
}

/**
 * Adds the location of the part that caused a fault to the hint and the details of the fault. `locationOf` converts the
 * indexes that lead to the part into a location.
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

/** Makes a location such as `[2][1]`, the second member of the third member of the query. */
export const jsonLocation = (path: readonly number[]): SourceLocation => ({
  name: path.map((index) => `[${index}]`).join(''),
  details: { path },
});

function pathTo(query: AstJson, { list: wanted, index }: Part): number[] | undefined {
  const lists = [query];
  const path: number[] = [];
  // For each list in `lists`, the index of the member to visit next.
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
