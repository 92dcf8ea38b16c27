import type { Sql } from '#database';
import { type AstJson, isList, isMap, NumberText, stringifyAst } from '#query';
import { edgeItem, readEdge } from '../diff/edge-part';
import { packageItem } from '../diff/package-part';
import { resourceItem } from '../diff/resource-part';
import { changeItem, jsonObject } from '../diff/show-change';
import { type ValueChange, valueChanges } from '../diff/value-changes';
import { parseAnswer } from '../reading/change-tables';
import {
  edgeStatement,
  entryStatement,
  factStatement,
  mostChanges,
  originStatement,
  packageStatement,
  reportStatement,
  resourceStatement,
  shownCharacters,
} from './entry-statements';
import type { Focus } from './focus';
import type { TimelineEntry, TimelineKey, TimelineKind } from './timeline-entry';

export interface RowSource {
  one(statement: Sql): Promise<string | undefined>;
}

interface Found {
  readonly changes: string[];
  /** Number of facts, resources, package versions or events whose changes are in `changes`. */
  listed: number;
  /** Number of known changes that `changes` does not contain. */
  leftOut: number;
  report?: AstJson;
}

/**
 * Returns an entry for each key of the table `timeline`, in the order of the keys. Omits keys whose rows were deleted.
 * `schema` must be a trusted name, because it becomes SQL. With `focus`, entries contain only the changes to one thing.
 */
export async function entriesOf(
  source: RowSource,
  schema: string,
  keys: readonly TimelineKey[],
  focus?: Focus,
): Promise<readonly TimelineEntry[]> {
  if (keys.length === 0) return [];
  const read = async (statement: Sql): Promise<readonly (readonly AstJson[])[]> =>
    parseAnswer((await source.one(statement)) ?? '[]') as readonly (readonly AstJson[])[];
  const rows = await read(entryStatement(schema, keys));
  const found = new Map<string, Found>();
  const foundAt = (ordinal: AstJson): Found => {
    const key = textOf(ordinal);
    const one = found.get(key) ?? { changes: [], listed: 0, leftOut: 0 };
    found.set(key, one);
    return one;
  };
  const has = (kind: TimelineKind): boolean => keys.some((key) => key.kind === kind);
  const part = (wanted: Focus['kind'] | 'none'): boolean => focus === undefined || focus.kind === wanted;
  if (part('none') && (has('facts') || has('catalog')))
    for (const row of await read(originStatement(schema, keys))) addOrigin(row, foundAt(row[0]!));
  if (part('path') && has('facts'))
    for (const row of await read(factStatement(schema, keys, focus))) addFact(row, foundAt(row[0]!), focus);
  if (part('resource') && has('catalog'))
    for (const row of await read(resourceStatement(schema, keys, focus))) addResource(row, foundAt(row[0]!));
  if (part('none') && has('catalog'))
    for (const row of await read(edgeStatement(schema, keys))) addEdges(row, foundAt(row[0]!));
  if (part('package') && has('packages'))
    for (const row of await read(packageStatement(schema, keys, focus))) addPackage(row, foundAt(row[0]!));
  if (part('none') && has('report'))
    for (const row of await read(reportStatement(schema, keys))) addReport(row, foundAt(row[0]!));
  return rows.map((row) => entryOf(row, foundAt(row[0]!), focus !== undefined));
}

function addOrigin([, oldEnvironment, environment, oldCode, code]: readonly AstJson[], found: Found): void {
  const changed = (part: string, old: AstJson, next: AstJson): void => {
    if (old !== next) add(found, { part, change: 'changed', old, new: next });
  };
  changed('environment', oldEnvironment!, environment!);
  changed('code_id', oldCode!, code!);
}

function addFact([, name, hasOld, hasNew, isCut, old, next]: readonly AstJson[], found: Found, focus?: Focus): void {
  found.listed++;
  const [from, to] = [hasOld === true ? old : undefined, hasNew === true ? next : undefined];
  const path = [name as string];
  // If a value was cut off, the values may differ only in their missing ends. So the change contains both shortened
  // values, even if they are equal.
  const isHidden = isCut === true && from !== undefined && to !== undefined;
  const changes: readonly ValueChange[] = isHidden
    ? [{ change: 'changed', path, old: from, new: to }]
    : valueChanges(from, to, path);
  for (const change of changes)
    if (focus?.kind !== 'path' || isBelow(change, focus)) add(found, { part: 'facts', ...members(changeItem(change)) });
}

/** Returns whether the change is at the path in `focus`, below this path, or at a value that contains this path. */
const isBelow = ({ path }: ValueChange, { path: { steps } }: Extract<Focus, { kind: 'path' }>): boolean =>
  steps.every((step, index) => {
    const element = path[index];
    return (
      element === undefined ||
      String(element) === (step.kind === 'key' ? step.key : step.kind === 'index' ? String(step.index) : undefined)
    );
  });

function addResource([, type, title, hasOld, hasNew, isCut, old, next]: readonly AstJson[], found: Found): void {
  found.listed++;
  const named = { type: type as string, title: title as string };
  const [from, to] = [hasOld === true ? old : undefined, hasNew === true ? next : undefined];
  const item =
    isCut === true && from !== undefined && to !== undefined
      ? jsonObject({ change: 'changed', ...named, old: from, new: to })
      : resourceItem({ ...named, old: from, new: to });
  add(found, { part: 'resources', ...members(item) });
}

function addEdges([, count, edges]: readonly AstJson[], found: Found): void {
  if (!isList(edges)) return;
  for (const edge of edges) add(found, { part: 'edges', ...edgeItem(readEdge(edge as readonly AstJson[])) });
  found.leftOut += count === null ? 1 : Number(textOf(count!)) - edges.length;
}

function addPackage([, name, provider, old, next]: readonly AstJson[], found: Found): void {
  const versions = { old: old as readonly string[], new: next as readonly string[] };
  found.listed += Math.max(versions.old.length, versions.new.length);
  add(found, {
    part: 'packages',
    ...packageItem({ name: name as string, provider: provider as string, ...versions }),
  });
}

function addReport([, oldStatus, status, hash, events]: readonly AstJson[], found: Found): void {
  found.report = hash!;
  if (oldStatus !== null && oldStatus !== status)
    add(found, { part: 'status', change: 'changed', old: oldStatus!, new: status! });
  for (const event of events as readonly AstJson[]) {
    found.listed++;
    add(found, { part: 'events', ...members(event) });
  }
}

function add(found: Found, change: Readonly<Record<string, AstJson>>): void {
  if (found.changes.length >= mostChanges) found.leftOut++;
  else {
    const item = jsonObject(change);
    const text = stringifyAst(item);
    found.changes.push(text.length <= shownCharacters ? text : stringifyAst(shortened(item)));
  }
}

const members = (item: AstJson): Record<string, AstJson> => (isMap(item) ? Object.fromEntries(item) : {});

/**
 * Number of nested levels that are shown: the change, the list of changes to a resource, one of these changes, its
 * value, and the members of the value.
 */
const levels = 5;

/** Cuts off long texts in a change. Replaces a long value below `levels` by the beginning of its JSON text. */
function shortened(value: AstJson, level = 0): AstJson {
  const text = typeof value === 'string' ? value : stringifyAst(value);
  if (text.length <= shownCharacters) return value;
  if (level < levels && isMap(value))
    return new Map([...value].map(([name, member]) => [name, shortened(member, level + 1)]));
  if (level < levels && isList(value)) return value.map((member) => shortened(member, level + 1));
  return `${text.slice(0, shownCharacters)}…`;
}

const textOf = (value: AstJson): string => (value instanceof NumberText ? value.text : stringifyAst(value));

function entryOf(row: readonly AstJson[], found: Found, isFocused: boolean): TimelineEntry {
  const [, , offset, kind, uuid, certname, received, produced, environment, producer, status, partition] = row;
  const [added, changed, removed, seenUntil, seenCount] = row.slice(12);
  const named = { kind: kind as TimelineKind, certname: certname as string };
  const id = `${uuid as string}/${named.kind}${named.kind === 'expired' ? `/${named.certname}` : ''}`;
  const counted = [added, changed, removed].reduce((sum, count) => sum + Number(textOf(count!)), 0);
  const leftOut = found.leftOut + (isFocused ? 0 : Math.max(0, counted - found.listed));
  const others = jsonObject({
    id,
    ...named,
    received_at: received,
    producer_timestamp: produced,
    environment,
    producer,
    status,
    report: found.report,
    position: jsonObject({ partition, offset }),
    seen_until: seenUntil,
    seen_count: seenCount,
    added,
    changed,
    removed,
    changes_left_out: new NumberText(String(leftOut)),
  });
  return {
    id,
    ...named,
    environment: environment as string | null,
    receivedAt: received as string,
    position: { partition: Number(textOf(partition!)), offset: Number(textOf(offset!)) },
    json: `${stringifyAst(others).slice(0, -1)},"changes":[${found.changes.join(',')}]}`,
  };
}
