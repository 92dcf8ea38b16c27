import { Database, Generations, withMaintenanceLock } from '#database';
import { defaultLimits } from '#limits';
import type { LogRecord } from '#log';
import { copyLog, rebuild, type ReplayContext, rollback, verify } from '#projections';
import { MemoryCommandLog } from '../../../libs/log/testing/memory-command-log';
import { liveGeneration } from '../../../apps/server/live-generation';
import { migrated } from './empty-database';
import { type Example, refusal } from './example';
import type { LittleService } from './little-service';

/** Causes the errors of the start and of maintenance verbs if read tables and log do not match. */
export async function maintenanceExamples({ bench }: LittleService): Promise<Example[]> {
  const { db, log, logId } = bench;
  const context: ReplayContext = {
    db,
    log,
    logId,
    maxCommandBytes: 20_000_000,
    limits: defaultLimits,
    signal: new AbortController().signal,
  };
  const other = new MemoryCommandLog({ partitions: 1 });
  const { logId: otherId } = await other.open();
  const shorter = new MemoryCommandLog({ partitions: 1, logId });
  const start = (at: MemoryCommandLog, id: string): Promise<unknown> =>
    liveGeneration(
      db,
      new Generations(db),
      { log: at, identity: { logId: id, partitions: 1 }, topic: undefined },
      { keepsPast: true },
      async () => undefined,
    );
  return [
    await refusal('server.foreign-log', 'npm start, with the database of another service', () => start(other, otherId)),
    await refusal('server.past-end', 'npm start, after the log was restored from an older backup', () =>
      start(shorter, logId),
    ),
    await refusal('server.below-tail', 'npm start, with tables from before the last snapshot', async () =>
      start(await snapshotted(logId), logId),
    ),
    await refusal('projections.foreign-log', 'A projector, after the log was exchanged while it ran', () =>
      bench.projector({ log: other, logId: otherId }).run(context.signal),
    ),
    await refusal('replay.half-built', 'nodeledger rebuild, after one that was stopped', async () => {
      const half = await bench.newGeneration();
      try {
        await rebuild(context, {});
      } finally {
        await new Generations(db).drop(half);
      }
    }),
    await refusal('maintenance.busy', 'nodeledger verify, during a rebuild', () =>
      withMaintenanceLock(db, () => verify(context)),
    ),
    await refusal('maintenance.stopped', 'nodeledger verify, stopped with Ctrl-C', () =>
      verify({ ...context, signal: AbortSignal.abort() }),
    ),
    await refusal('replay.position', 'nodeledger rebuild --to-position 0-999999', () =>
      rebuild(context, { toPosition: new Map([[0, 999_999]]) }),
    ),
    await refusal('replay.no-previous', 'nodeledger rebuild --rollback, before any rebuild', () => rollback(context)),
    await refusal('replay.nothing-to-resume', 'nodeledger rebuild --resume, before any rebuild', () =>
      rebuild(context, { resume: true }),
    ),
    await refusal('replay.foreign-log', 'nodeledger verify, with the log of another service', () =>
      verify({ ...context, log: other, logId: otherId }),
    ),
    await refusal('replay.shorter-log', 'nodeledger verify, after the log was restored from an older backup', () =>
      verify({ ...context, log: shorter }),
    ),
    await refusal('copy.not-empty', 'nodeledger log copy --to-topic old.topic', () =>
      copyLog(context, log, { logId, partitions: 1 }),
    ),
    ...(await ofEmptyDatabase(context, other)),
    ...(await ofOtherForm(context, start)),
  ];
}

/** A log from which a snapshot has removed all records except the last ones. */
async function snapshotted(logId: string): Promise<MemoryCommandLog> {
  const log = new MemoryCommandLog({ partitions: 1, logId });
  for (let at = 0; at < 100; at++) {
    await log.append({
      uuid: '3f2c2a5e-0000-4000-8000-000000000000',
      command: 'replace facts',
      version: 5,
      certname: 'web1',
      receivedAt: 0,
      encoding: 'identity',
      payload: Buffer.from('{}'),
    });
  }
  const none = (async function* (): AsyncGenerator<LogRecord> {})();
  await (await log.prepareBase(new Map([[0, 90]]), none)).commit();
  await log.truncate();
  return log;
}

const ofEmptyDatabase = (context: ReplayContext, target: MemoryCommandLog): Promise<Example[]> =>
  migrated(async (connectionString) => {
    const db = new Database({ connectionString, max: 6 });
    const log = new MemoryCommandLog({ partitions: 1 });
    const { logId } = await log.open();
    try {
      return [
        await refusal('replay.no-live', 'nodeledger verify, before the service has run', () =>
          verify({ ...context, db, log, logId }),
        ),
        await refusal('copy.not-applied', 'nodeledger log copy, before the service has run', () =>
          copyLog({ ...context, db, log, logId }, target, { logId, partitions: 1 }),
        ),
      ];
    } finally {
      await db.close();
    }
  });

async function ofOtherForm(
  context: ReplayContext,
  start: (log: MemoryCommandLog, logId: string) => Promise<unknown>,
): Promise<Example[]> {
  const { db, log, logId } = context;
  const raise = (by: number): Promise<unknown> =>
    db.query({ text: `UPDATE nodeledger.generations SET projection_version = projection_version + $1`, values: [by] });
  await raise(1);
  try {
    return [
      await refusal('server.projection-version', 'npm start, with the database of a newer release', () =>
        start(log as MemoryCommandLog, logId),
      ),
      await refusal('replay.projection-version', 'nodeledger verify, with the database of a newer release', () =>
        verify(context),
      ),
    ];
  } finally {
    await raise(-1);
  }
}
