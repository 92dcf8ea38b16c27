/** What the timeline must say of a record: the difference between the rows of its node before and after it, as the model computes them. */
import type { Database } from '#database';
import { key64 } from '../../libs/projections/keys';
import type { NodeView, Place } from './model';
import type { Json } from './steps';

/** A row of the timeline in which names of nodes, facts, resources and packages replace the keys. */
export interface TimelineRow extends Place {
  readonly certname: string;
  readonly kind: string;
  readonly status: string | null;
  readonly environment: string | null;
  readonly time: string | null;
  readonly counts: readonly [added: number, changed: number, removed: number];
  readonly facts: readonly string[];
  readonly resources: readonly string[];
  readonly packages: readonly string[];
}

/** Facts whose changes make no row. */
export const volatileFacts = ['up'];

type Row = Omit<TimelineRow, 'certname' | 'partition' | 'offset'>;
type View = NodeView | undefined;
type Fields = Readonly<Record<string, Json>>;

const nothing = { status: null, counts: [0, 0, 0], facts: [], resources: [], packages: [] } as const;
const text = (value: unknown): string => JSON.stringify(value);

/** `document`: the record's, if it has one of a node. */
export function rowsBetween(before: View, after: View, document: Fields | undefined): Row[] {
  const rows: Row[] = [];
  const time = document?.['producer_timestamp'];
  const origin = {
    environment: (document?.['environment'] ?? null) as string | null,
    time: time === undefined || time === null ? null : new Date(time as string | number).toISOString(),
  };
  const add = (kind: string, more: Partial<Row> = {}): void => void rows.push({ kind, ...nothing, ...origin, ...more });
  const was = (field: string): boolean => (before?.node[field] ?? null) !== null;
  const is = (field: string): boolean => (after?.node[field] ?? null) !== null;
  if (!was('deactivated') && is('deactivated')) add('deactivated');
  if (!was('expired') && is('expired')) add('expired');
  if ((was('deactivated') || was('expired')) && after && !is('deactivated') && !is('expired')) add('returned');
  // A purge leaves no rows of the present, and changes nothing that the timeline has.
  if (after === undefined) return rows;

  const facts = compared(factsOf(before), factsOf(after));
  if (facts.names.length > 0 || differs(before?.factset, after.factset, ['environment']))
    add('facts', {
      counts: facts.counts,
      facts: facts.names.map(([one = '']) => key64(one.replace(/ .*/, ''))).sort(),
    });
  const packages = compared(packagesOf(before), packagesOf(after));
  if (packages.names.length > 0) add('packages', { counts: packages.counts, packages: packages.names.flat().sort() });
  const resources = compared(resourcesOf(before), resourcesOf(after));
  const sameEdges = text(before?.edges) === text(after.edges);
  if (
    after.catalog !== null &&
    (resources.names.length > 0 || !sameEdges || differs(before?.catalog, after.catalog, ['environment', 'code_id']))
  )
    add('catalog', { counts: resources.counts, resources: resources.names.flat().sort() });
  for (const [hash, report] of Object.entries(after.reports)) {
    if (before?.reports[hash] !== undefined) continue;
    const { status } = report as { status: string | null };
    const latest = [before?.node['latest_report_hash'], after.node['latest_report_hash']];
    const isLatest = latest[0] !== latest[1] && latest[1] === hash;
    if (status === 'unchanged' && !(isLatest && before?.node['latest_report_status'] !== 'unchanged')) continue;
    add('report', { status, counts: [0, (after.events[hash] ?? []).length, 0] });
  }
  return rows;
}

/** Whether the document is the first, or has another value of one of the fields. */
const differs = (before: Json | undefined, after: Json, fields: readonly string[]): boolean => {
  if (after === null) return false;
  if (before === null || before === undefined) return true;
  return fields.some((field) => (before as Fields)[field] !== (after as Fields)[field]);
};

/** What is compared by a name: the texts of the things with this name. */
type Named = ReadonlyMap<string, readonly string[]>;

function compared(before: Named, after: Named): { counts: Row['counts']; names: (readonly string[])[] } {
  const counts: [number, number, number] = [0, 0, 0];
  const names: (readonly string[])[] = [];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name) ?? [], after.get(name) ?? []];
    const went = old.filter((one) => !now.includes(one));
    const came = now.filter((one) => !old.includes(one));
    if (went.length + came.length === 0) continue;
    counts[0] += Math.max(0, came.length - went.length);
    counts[1] += Math.min(came.length, went.length);
    counts[2] += Math.max(0, went.length - came.length);
    names.push([...went, ...came]);
  }
  return { counts, names };
}

function grouped(things: readonly (readonly [name: string, text: string])[]): Named {
  const groups = new Map<string, string[]>();
  for (const [name, one] of things) groups.set(name, [...(groups.get(name) ?? []), one]);
  return groups;
}

function factsOf(view: View): Named {
  const facts = Object.entries(view?.facts ?? {}).filter(([name]) => !volatileFacts.includes(name));
  return new Map(facts.map(([name, value]) => [name, [`${name} ${text(value)}`]]));
}
const packagesOf = (view: View): Named =>
  grouped(((view?.packages ?? []) as string[][]).map((one) => [`${one[0]} ${one[2]}`, one.join(' ')]));
type Resource = [type: string, title: string, Json, Json, line: number | null, Json, { ensure: string }];
const resourcesOf = (view: View): Named =>
  grouped(
    ((view?.resources ?? []) as Resource[]).map(([type, title, , , line, , { ensure }]) => [
      `${type} ${title}`,
      `${type} ${title} ${line} ${ensure}`,
    ]),
  );

/** Returns the stored rows of the nodes with these names, also of purged ones, in the order of the log. */
export async function storedTimeline(
  db: Database,
  schema: string,
  certnames: readonly string[],
): Promise<TimelineRow[]> {
  const names = new Map(certnames.map((certname) => [key64(certname), certname]));
  const list = (of: string): string => `array(SELECT name FROM (${of}) x(name) ORDER BY name COLLATE "C")`;
  const rows = await db.query<Omit<TimelineRow, 'certname'> & { node: string }>({
    text: `SELECT t.node::text AS node, t.log_partition AS partition, t.log_offset AS "offset", t.kind, t.status,
             (SELECT e.name FROM ${schema}.environments e WHERE e.environment = t.environment) AS environment,
             to_char(t.producer_timestamp AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS time,
             ARRAY[t.added, t.changed, t.removed] AS counts, array(SELECT k::text FROM unnest(t.fact_keys) AS k ORDER BY k::text COLLATE "C") AS facts,
             ${list(`SELECT concat_ws(' ', c.type, c.title, coalesce(c.line::text, 'null'), c.parameters->>'ensure')
                     FROM unnest(t.content_keys) AS k(content) LEFT JOIN ${schema}.resource_contents c USING (content)`)} AS resources,
             ${list(`SELECT concat_ws(' ', p.name, p.version, p.provider)
                     FROM unnest(t.package_keys) AS k(package) LEFT JOIN ${schema}.packages p USING (package)`)} AS packages
           FROM ${schema}.timeline t WHERE t.node = ANY($1::bigint[])`,
    values: [[...names.keys()]],
  });
  return inOrder(rows.map(({ node, ...row }) => ({ certname: names.get(node) as string, ...row })));
}

export const inOrder = (rows: readonly TimelineRow[]): TimelineRow[] =>
  [...rows].sort((a, b) => (order(a) < order(b) ? -1 : 1));
const order = ({ partition, offset, certname, kind }: TimelineRow): string =>
  [partition, String(offset).padStart(9, '0'), certname, kind].join(' ');
