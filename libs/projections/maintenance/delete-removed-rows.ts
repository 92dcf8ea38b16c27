/**
 * Deletes the rows of reports and events that age limits have removed. Each transaction deletes few rows and skips
 * locked rows. So the deletion never waits for a lock, and a projector never waits long for the deletion.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { arrayLiteral, type Database, type Generation, type Session } from '#database';
import { deleteBelowReports } from './delete-nodes';
import { projectionVersion, tablesDeletedBy } from '../schema/read-tables';
import { type RemovalKind, isRemoved, removalMatches } from './removed-reports';

export interface RemoveOptions {
  readonly signal?: AbortSignal | undefined;
  readonly reportsAtOnce?: number;
  /** Pause after each transaction, as a multiple of its duration. Default: 0. */
  readonly pauses?: number;
}

export interface Removed {
  readonly reports: number;
  /** Includes the events of deleted reports. */
  readonly events: number;
}

const eventTables = tablesDeletedBy('report')
  .filter(({ ageLimit }) => ageLimit === 'events')
  .map(({ name }) => name);

/**
 * Limit on the passes over the reports in one call. Each pass retries the rows that were locked in the previous pass.
 */
const mostSweeps = 20;
const betweenSweepsMs = 50;

/** Does nothing if the tables have another projection version. */
export async function deleteRemovedRows(
  db: Database,
  generation: Generation,
  options: RemoveOptions = {},
): Promise<Removed> {
  if (generation.projectionVersion !== projectionVersion) return { reports: 0, events: 0 };
  const stopped = (): boolean => options.signal?.aborted === true;
  let [reports, events] = [0, 0];
  try {
    for (let sweep = 1; sweep <= mostSweeps && !stopped(); sweep++) {
      const known = await removals(db, generation);
      if (known.length === 0) break;
      if (sweep > 1) await delay(betweenSweepsMs, undefined, { signal: options.signal });
      for (const kind of ['r', 'e'] as const) {
        if (!known.some((removal) => removal.kind === kind)) continue;
        const removed = await sweepOver(db, generation, kind, options);
        reports += removed.reports;
        events += removed.events;
      }
      if (!stopped()) await forgetFinished(db, generation, known);
    }
  } catch (error) {
    // A rebuild can drop the tables during the deletion.
    if (!stopped() && (await isStored(db, generation))) throw error;
  }
  return { reports, events };
}

interface Removal {
  readonly kind: RemovalKind;
  readonly partition: number;
  readonly offset: number;
}

const removals = (db: Database, { schema }: Generation): Promise<Removal[]> =>
  db.query<Removal>({
    text: `SELECT kind::text AS kind, log_partition AS partition, log_offset AS "offset" FROM ${schema}.removals WHERE NOT is_done`,
    values: [],
  });

async function sweepOver(
  db: Database,
  { schema }: Generation,
  kind: RemovalKind,
  { signal, reportsAtOnce = 200, pauses = 0 }: RemoveOptions,
): Promise<Removed> {
  let [reports, events] = [0, 0];
  let since = '-infinity';
  while (signal?.aborted !== true) {
    const startedAt = performance.now();
    const portion = await db.transaction((session) => removePortion(session, schema, kind, since, reportsAtOnce));
    if (portion === undefined) break;
    reports += kind === 'r' ? portion.reports : 0;
    events += portion.events;
    since = portion.last;
    if (pauses > 0) await delay(Math.ceil((performance.now() - startedAt) * pauses), undefined, { signal });
  }
  return { reports, events };
}

/**
 * Returns undefined if no row is left. The next portion starts at `last` inclusive, because several reports can have
 * the same time.
 */
async function removePortion(
  session: Session,
  schema: string,
  kind: RemovalKind,
  since: string,
  most: number,
): Promise<(Removed & { readonly last: string }) | undefined> {
  // If a crash loses this commit, the next pass deletes the rows.
  await session.query({ text: 'SET LOCAL synchronous_commit = off', values: [] });
  const taken = await session.query<{ report: string; time: string }>({
    text: portionOf(schema, kind),
    values: [since, most],
  });
  if (taken.length === 0) return undefined;
  const keys = taken.map(({ report }) => report);
  if (kind === 'r') {
    await session.query({
      text: `DELETE FROM ${schema}.reports WHERE report = ANY($1::uuid[])`,
      values: [arrayLiteral(keys)],
    });
  }
  const events = await deleteBelowReports(session, schema, keys, eventTables);
  return { reports: keys.length, events, last: (taken.at(-1) as { time: string }).time };
}

/**
 * Returns SQL that selects the keys and times of removed reports (kind `r`) or of reports whose events are removed
 * (kind `e`), oldest first, and locks these reports. `$1` is the earliest time, and `$2` is the limit on the reports.
 */
function portionOf(schema: string, kind: RemovalKind): string {
  const latest = `(SELECT max(before) FROM ${schema}.removals WHERE kind = '${kind}' AND NOT is_done)`;
  if (kind === 'r') {
    return `SELECT r.report::text AS report, r.producer_timestamp::text AS time FROM ${schema}.reports r
            WHERE r.producer_timestamp >= $1::timestamptz AND r.producer_timestamp < ${latest} AND ${isRemoved(schema)}
            ORDER BY r.producer_timestamp LIMIT $2 FOR UPDATE OF r SKIP LOCKED`;
  }
  // Only reports with events have a row in `event_counts`.
  return `SELECT r.report::text AS report, r.producer_timestamp::text AS time FROM ${schema}.reports r
          WHERE r.report IN (
              SELECT c.report FROM ${schema}.event_counts c JOIN ${schema}.reports r ON r.report = c.report
              WHERE c.producer_timestamp >= $1::timestamptz AND c.producer_timestamp < ${latest}
                AND ${isRemoved(schema, ['e'])}
              ORDER BY c.producer_timestamp LIMIT $2)
          ORDER BY r.producer_timestamp FOR UPDATE OF r SKIP LOCKED`;
}

/**
 * Deletes the finished rows of `removals`, or marks them as done if they are about events. No later report or event can
 * match a removal, because a removal applies only to documents before it in the log.
 */
async function forgetFinished(db: Database, { schema }: Generation, known: readonly Removal[]): Promise<void> {
  for (const { kind, partition, offset } of known) {
    const left =
      kind === 'r'
        ? `SELECT FROM ${schema}.reports r WHERE r.producer_timestamp < removal.before AND ${removalMatches([kind])}`
        : `SELECT FROM ${schema}.event_counts c JOIN ${schema}.reports r ON r.report = c.report
           WHERE c.producer_timestamp < removal.before AND ${removalMatches([kind])}`;
    const finish =
      kind === 'r' ? `DELETE FROM ${schema}.removals removal` : `UPDATE ${schema}.removals removal SET is_done = true`;
    await db.query({
      text: `${finish}
             WHERE removal.kind = $1::"char" AND removal.log_partition = $2 AND removal.log_offset = $3 AND NOT EXISTS (${left})`,
      values: [kind, partition, offset],
    });
  }
}

async function isStored(db: Database, { generation }: Generation): Promise<boolean> {
  const rows = await db.query({
    text: `SELECT FROM nodeledger.generations WHERE generation = $1 AND state <> 'dropped'`,
    values: [generation],
  });
  return rows.length > 0;
}
