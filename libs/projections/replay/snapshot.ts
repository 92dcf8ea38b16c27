/**
 * Makes a snapshot: replaces the records before a position by the few records that the tables still need. Builds tables
 * at this position from the whole log, and other tables from only these few records. The snapshot becomes current only
 * if both sets of tables are equal. After a crash, either the earlier or the new snapshot is current.
 */
import {
  arrayLiteral,
  type Database,
  type Generation,
  Generations,
  releaseLog,
  takeLogForTruncation,
  withMaintenanceLock,
} from '#database';
import { Fault } from '#fault';
import type { LogRecord, Position, PreparedBase } from '#log';
import { commandsWithSections } from '#wire';
import { baseRecords, findKept, makeKeptTable } from '../base/kept-records';
import { letterName } from '../dead-letters/letter-name';
import { isLeft } from '../maintenance/removed-reports';
import { documentTables } from '../schema/read-tables';
import { compareGenerations } from './compare-generations';
import { dropLeftovers, findLiveGeneration, makeGeneration, tablesDone } from './rebuild';
import { recordsUntil } from './records-until';
import { recordsBetween, offsetsOf, replayTo, stopIfAborted } from './replay';
import { refuseOtherForm } from './refuse-other-form';
import type { ReplayContext } from './replay-context';

interface SnapshotOptions {
  /** Time for which the tail keeps every record. With 0, the snapshot replaces all applied records. */
  readonly historyMs: number;
}

export interface SnapshotOutcome {
  /** True if the tail has no records that are old enough. */
  readonly nothingToDo: boolean;
  readonly kept: number;
  readonly removed: number;
  readonly seconds: number;
  readonly tails: ReadonlyMap<number, number>;
}

/**
 * Throws `maintenance.busy`, `maintenance.stopped`, `replay.half-built`, `replay.projection-version`,
 * `replay.newly-rejected`, `replay.live-differs`, `replay.no-live` or `replay.base-differs`. None of these errors
 * changes the log.
 */
export async function snapshot(context: ReplayContext, { historyMs }: SnapshotOptions): Promise<SnapshotOutcome> {
  return withMaintenanceLock(context.db, async (requireLock) => {
    const startedAt = performance.now();
    const { db, log } = context;
    await dropLeftovers(db);
    const tails = await snapshotTails(context, historyMs);
    const seconds = (): number => (performance.now() - startedAt) / 1000;
    const today = await log.extent();
    if (recordsBetween(today.tails, tails) === 0) {
      // Deletes the records that remain if an earlier snapshot crashed after its commit.
      await whileNobodyReads(context, () => log.truncate());
      await finished(db);
      return { nothingToDo: true, kept: 0, removed: 0, seconds: seconds(), tails };
    }
    const { base, kept, before } = await prepare(context, tails);
    await whileNobodyReads(context, async () => {
      await requireLock();
      await dropPassed(context, tails);
      await base.commit();
      context.onProgress?.({ step: 'truncate', done: 0, total: 1, unit: 'tables' });
      await log.truncate();
      context.onProgress?.({ step: 'truncate', done: 1, total: 1, unit: 'tables' });
    });
    await finished(db);
    return { nothingToDo: false, kept, removed: before - kept, seconds: seconds(), tails };
  });
}

/** Waits for running exports, because they read single records of the log. Refuses new exports during the work. */
async function whileNobodyReads({ db, onNotice, signal }: ReplayContext, work: () => Promise<void>): Promise<void> {
  const session = await db.session();
  try {
    let notified = false;
    await takeLogForTruncation(session, () => {
      stopIfAborted(signal);
      if (!notified) onNotice?.('waits until the exports under way are done');
      notified = true;
    });
    await work();
  } finally {
    await releaseLog(session);
    session.close();
  }
}

/** Returns milliseconds since 1970, or undefined if there was no snapshot. */
export async function lastSnapshotAt(db: Database): Promise<number | undefined> {
  const [row] = await db.query<{ at: string }>({
    text: `SELECT (extract(epoch FROM finished_at) * 1000)::bigint::text AS at FROM nodeledger.maintenance_runs WHERE kind = 'snapshot'`,
    values: [],
  });
  return row === undefined ? undefined : Number(row.at);
}

async function finished(db: Database): Promise<void> {
  await db.query({
    text: `INSERT INTO nodeledger.maintenance_runs (kind) VALUES ('snapshot')
           ON CONFLICT (kind) DO UPDATE SET finished_at = now()`,
    values: [],
  });
}

/**
 * Returns the offsets at which the new tail begins. They are never before the current tail, and never after the live
 * position.
 */
export async function snapshotTails(context: ReplayContext, historyMs: number): Promise<Map<number, number>> {
  const { db, log } = context;
  const live = await findLiveGeneration(context);
  if (live === undefined) throw new Fault('missing', 'replay.no-live', 'there are no read tables yet');
  refuseOtherForm(live, 'Rebuild first.');
  const half = (await new Generations(db).list()).find(({ state }) => state === 'building');
  if (half !== undefined) {
    throw new Fault(
      'conflict',
      'replay.half-built',
      `a rebuild is unfinished (${half.schema}) and needs the log as it is`,
      {
        hint: 'Finish it with `nodeledger rebuild --resume`, or discard it with `nodeledger rebuild --drop-previous`.',
      },
    );
  }
  const applied = await offsetsOf(db, live);
  const { tails: today, ends } = await log.extent();
  const since = historyMs === 0 ? ends : await log.offsetsSince(Date.now() - historyMs);
  return new Map(
    [...today].map(([partition, tail]) => [
      partition,
      Math.max(tail, Math.min(since.get(partition) ?? tail, applied.get(partition) ?? tail)),
    ]),
  );
}

async function prepare(
  context: ReplayContext,
  tails: ReadonlyMap<number, number>,
): Promise<{ base: PreparedBase; kept: number; before: number }> {
  const { db, log, onProgress } = context;
  const generations = new Generations(db);
  const options = { keepDeadLetters: false };
  const whole = await makeGeneration(context, 'scratch', { keepsPast: false });
  try {
    const rejected: Rejected[] = [];
    await replayTo(context, whole, tails, {
      ...options,
      step: 'replay the log',
      onRejected: ({ partition, offset, command, certname }, error) =>
        void rejected.push({ partition, offset, command, certname, error }),
    });
    await refuseNewlyRejected(db, (await findLiveGeneration(context)) as Generation, rejected);
    await makeKeptTable(db, whole.schema);
    await refuseLosses(db, (await findLiveGeneration(context)) as Generation, whole, tails);
    const total = recordsBetween((await log.extent()).starts, tails);
    let before = 0;
    let kept = 0;
    const all = async function* (): AsyncGenerator<LogRecord[]> {
      for await (const batch of recordsUntil(context, tails, undefined, { inParts: commandsWithSections })) {
        before += batch.length;
        onProgress?.({ step: 'write the base', done: Math.min(before, total), total, unit: 'records' });
        yield batch;
      }
    };
    const records = baseRecords(all(), (positions) => findKept(db, whole.schema, positions));
    const counted = async function* (): AsyncGenerator<LogRecord> {
      for await (const record of records) {
        kept += 1;
        yield record;
      }
    };
    const base = await log.prepareBase(tails, counted());
    try {
      await prove(context, base, whole, tails);
    } catch (error) {
      await base.discard();
      throw error;
    }
    return { base, kept, before };
  } finally {
    await generations.drop(whole);
  }
}

/** Selects the positions of the records from which the rows of a generation were made. */
const positionsSql = (schema: string): string =>
  [
    `SELECT log_partition, log_offset FROM ${schema}.nodes WHERE log_offset IS NOT NULL`,
    ...documentTables.map(
      (table) =>
        `SELECT d.log_partition, d.log_offset FROM ${schema}.${table.name} d WHERE ${isLeft(schema, table, 'd')}`,
    ),
  ].join(' UNION ALL ');

interface Rejected extends Position {
  readonly command: string;
  readonly certname: string;
  readonly error: unknown;
}

/**
 * Throws `replay.newly-rejected` if a record that was applied before is now rejected, because the release or the
 * settings have changed. Otherwise the snapshot would lose data of the live tables.
 */
async function refuseNewlyRejected(db: Database, { schema }: Generation, rejected: readonly Rejected[]): Promise<void> {
  if (rejected.length === 0) return;
  const lost = await db.query<{ ordinal: number }>({
    text: `SELECT DISTINCT ordinal FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS r(log_partition, log_offset, ordinal)
           JOIN (${positionsSql(schema)}) AS live USING (log_partition, log_offset) ORDER BY ordinal`,
    values: [
      arrayLiteral(rejected.map(({ partition }) => partition)),
      arrayLiteral(rejected.map(({ offset }) => offset)),
    ],
  });
  const [first] = lost.map(({ ordinal }) => rejected[ordinal - 1] as Rejected);
  if (first === undefined) return;
  const why = first.error instanceof Error ? first.error.message : String(first.error);
  throw new Fault(
    'conflict',
    'replay.newly-rejected',
    `${lost.length} commands that were applied are now rejected, such as ${first.command} of ${first.certname} at ${letterName(first)}: ${why}`,
    {
      hint: 'Go back to the settings of that time, or make them dead letters with `nodeledger rebuild --accept-differences`. The log is unchanged.',
    },
  );
}

/**
 * Throws `replay.live-differs` if the live tables have a row from a record before the new tail, but the snapshot does
 * not keep this record. This can happen after a change of settings. The replay may then accept a command that was
 * rejected earlier, and this command may replace the command whose rows are in the live tables.
 */
async function refuseLosses(
  db: Database,
  live: Generation,
  whole: Generation,
  tails: ReadonlyMap<number, number>,
): Promise<void> {
  const [first] = await db.query<Position & { lost: number }>({
    text: `SELECT l.log_partition AS partition, l.log_offset AS "offset", count(*) OVER () AS lost
           FROM (${positionsSql(live.schema)}) AS l
           JOIN unnest($1::int[], $2::bigint[]) AS t(log_partition, tail) USING (log_partition)
           WHERE l.log_offset < t.tail AND NOT EXISTS (
             SELECT FROM ${whole.schema}.kept_records k
             WHERE k.log_partition = l.log_partition AND k.log_offset = l.log_offset)
           ORDER BY 1, 2 LIMIT 1`,
    values: [arrayLiteral([...tails.keys()]), arrayLiteral([...tails.values()])],
  });
  if (first === undefined) return;
  throw new Fault(
    'conflict',
    'replay.live-differs',
    `the live tables show ${first.lost} records, such as the one at ${letterName(first)}, that no longer count when the log is replayed with the current settings: they would be removed`,
    {
      hint: 'See `nodeledger verify`. Go back to the settings of that time, or rebuild the tables with `nodeledger rebuild --accept-differences`. The log is unchanged.',
    },
  );
}

async function prove(
  context: ReplayContext,
  base: PreparedBase,
  whole: Awaited<ReturnType<typeof makeGeneration>>,
  tails: ReadonlyMap<number, number>,
): Promise<void> {
  const generations = new Generations(context.db);
  const again = await makeGeneration(context, 'scratch', { keepsPast: false, starts: await base.starts() });
  try {
    await replayTo(context, again, tails, { source: base, step: 'replay the base', keepDeadLetters: false });
    const comparison = await compareGenerations(context.db, whole, again, { onTable: tablesDone(context) });
    if (comparison.counted > 0) {
      throw new Fault(
        'broken',
        'replay.base-differs',
        `the new base does not give the tables that the whole log gives: ${comparison.counted} rows differ`,
        { hint: 'The log is unchanged. This is a bug in the program: please report it.', details: comparison },
      );
    }
  } finally {
    await generations.drop(again);
  }
}

async function dropPassed({ db, onNotice }: ReplayContext, tails: ReadonlyMap<number, number>): Promise<void> {
  const generations = new Generations(db);
  for (const generation of await generations.list()) {
    if (generation.state !== 'retired') continue;
    if (recordsBetween(await offsetsOf(db, generation), tails) === 0) continue;
    onNotice?.(`${generation.schema}, kept for a rollback, is dropped: its position is before the new tail`);
    await generations.drop(generation);
  }
}
