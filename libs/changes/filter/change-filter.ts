import { excerpt, Fault, isMap } from '#fault';
import { timelineKinds, type TimelineEntry } from '../timeline/timeline-entry';

export const changeKinds = [...timelineKinds, 'node.deleted'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Selects the changes that match all lists. An absent list matches every change. */
export interface ChangeFilter {
  readonly kinds?: readonly ChangeKind[];
  readonly certnames?: readonly string[];
  /** If this list is given, it excludes changes without an environment. */
  readonly environments?: readonly string[];
}

export const mostFilterValues = 100;
export const longestFilterValue = 1_000;

const members = ['kinds', 'certnames', 'environments'] as const;

type Chosen = Pick<TimelineEntry, 'environment'> & { readonly kind: ChangeKind; readonly certname: string | null };

export function changeCondition({ kinds, certnames, environments }: ChangeFilter): (change: Chosen) => boolean {
  const isIn = (list: readonly string[] | undefined): ((value: string | null) => boolean) => {
    if (list === undefined) return () => true;
    const values = new Set<string | null>(list);
    return (value) => values.has(value);
  };
  const [kind, certname, environment] = [isIn(kinds), isIn(certnames), isIn(environments)];
  return (change) => kind(change.kind) && certname(change.certname) && environment(change.environment);
}

/** Throws `changes.filter`, which has the kind `malformed`. */
export function readChangeFilter(value: unknown): ChangeFilter {
  if (!isMap(value)) throw refused('A filter is a JSON object.');
  const other = Object.keys(value).find((name) => !(members as readonly string[]).includes(name));
  if (other !== undefined) throw refused(`A filter has no member ${JSON.stringify(excerpt(other))}.`);
  const filter: Record<string, readonly string[]> = {};
  for (const name of members) {
    if (value[name] !== undefined) filter[name] = readList(name, value[name]);
  }
  const unknown = filter['kinds']?.find((kind) => !(changeKinds as readonly string[]).includes(kind));
  if (unknown !== undefined) {
    throw refused(`There is no kind ${JSON.stringify(excerpt(unknown))}, only ${changeKinds.join(', ')}.`);
  }
  return filter;
}

function readList(name: string, list: unknown): readonly string[] {
  if (!Array.isArray(list) || list.length === 0 || list.length > mostFilterValues) {
    throw refused(`${name} is a list of 1 to ${mostFilterValues} texts.`);
  }
  for (const value of list as unknown[]) {
    if (typeof value !== 'string' || value === '' || value.length > longestFilterValue || value.includes('\0')) {
      throw refused(`${name} has a value that is not a text of 1 to ${longestFilterValue} characters.`);
    }
  }
  return list as readonly string[];
}

const refused = (message: string): Fault =>
  new Fault('malformed', 'changes.filter', message, {
    hint: 'A filter is such as {"kinds": ["facts", "report"], "environments": ["production"]}.',
  });
