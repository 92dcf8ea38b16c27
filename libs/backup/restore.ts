/**
 * Restores a backup into an empty database. Checks every file before it writes anything. Then writes the control tables
 * and the log, with each record at its old position, and builds read tables from it. No service starts on this database
 * until all of this is done.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import {
  beginRestore,
  clearUnfinishedRestore,
  ControlState,
  controlVersion,
  type Database,
  endRestore,
  migrateControlTables,
  requireEmpty,
  withMaintenanceLock,
} from '#database';
import { Fault } from '#fault';
import type { CommandLog, LogContent, LogRecord } from '#log';
import { fillRestored, stopIfAsked, type ReplayContext } from '#projections';
import { checkBackup } from './check-backup';
import { readManifest, recordsOf, type Manifest, type Segment } from './manifest';
import { readSegment } from './segment-format';

export interface RestoreTarget {
  readonly db: Database;
  readonly connectionString: string;
  /** Not opened, and empty. */
  readonly log: CommandLog;
  /** Options for building the read tables. */
  readonly replay: Omit<ReplayContext, 'db' | 'log' | 'logId'>;
}

export interface RestoreOutcome {
  readonly manifest: Manifest;
  /** Number of records in the log. */
  readonly records: number;
  readonly seconds: number;
}

/**
 * Returns the manifest of a backup that can be restored. Faults: `backup.no-backup`, `backup.damaged`, `backup.newer`.
 */
export async function checkedBackup(
  dir: string,
  context: Pick<ReplayContext, 'signal' | 'onProgress'>,
): Promise<Manifest> {
  const manifest = await readManifest(dir);
  if (manifest.control.version > controlVersion) {
    throw new Fault('conflict', 'backup.newer', `the backup was made by release ${manifest.release}, a newer one`, {
      hint: 'Restore it with that release, or with a later one.',
    });
  }
  await checkBackup(dir, manifest, context);
  return manifest;
}

/**
 * Writes the backup that `checkedBackup` has checked. Faults: `maintenance.busy` (conflict), `restore.not-empty`,
 * `log.not-empty` (conflict; nothing was changed), `maintenance.stopped` (busy; call it again to start over), and those
 * of the log and of a replay.
 */
export async function restore(dir: string, manifest: Manifest, target: RestoreTarget): Promise<RestoreOutcome> {
  const startedAt = performance.now();
  await withMaintenanceLock(target.db, () => restoreAlone(dir, manifest, target));
  return { manifest, records: recordsOf(manifest), seconds: (performance.now() - startedAt) / 1000 };
}

async function restoreAlone(
  dir: string,
  manifest: Manifest,
  { db, connectionString, log, replay }: RestoreTarget,
): Promise<void> {
  const { signal, onNotice } = replay;
  if (await clearUnfinishedRestore(db)) onNotice?.('an earlier restore did not end: it is removed, and begun anew');
  await requireEmpty(db);
  await migrateControlTables(connectionString, manifest.control.version);
  await beginRestore(db);
  await restoreControl(dir, manifest, db);
  await migrateControlTables(connectionString);
  stopIfAsked(signal);
  await log.restore(contentOf(dir, manifest, replay));
  const { logId } = await log.open();
  await fillRestored({ ...replay, db, log, logId }, recordsOf(manifest));
  await endRestore(db);
}

/**
 * Writes the rows into the tables of the release that made the backup. Later migrations then change the rows as usual.
 */
async function restoreControl(dir: string, { control }: Manifest, db: Database): Promise<void> {
  await db.transaction(async (session) => {
    for (const table of control.tables) {
      const rows = createReadStream(join(dir, table.file)) as AsyncIterable<Buffer>;
      await ControlState.load(session, table, rows);
    }
    await ControlState.setSequences(session, control.sequences);
  });
}

function contentOf(
  dir: string,
  { log }: Manifest,
  { signal, onProgress }: Pick<ReplayContext, 'signal' | 'onProgress'>,
): LogContent {
  const tails = new Map(log.partitions.map(({ partition, tail }) => [partition, tail]));
  const total = [...log.base, ...log.tail].reduce((sum, { records }) => sum + records, 0);
  let done = 0;
  async function* read(segments: readonly Segment[], keep: (record: LogRecord) => boolean): AsyncGenerator<LogRecord> {
    for (const { file, partition, records } of segments) {
      for await (const record of readSegment(join(dir, file), partition)) {
        stopIfAsked(signal);
        if (keep(record)) yield record;
      }
      done += records;
      onProgress?.({ step: 'restore the log', done, total, unit: 'records' });
    }
  }
  return {
    identity: { logId: log.id, partitions: log.partitions.length },
    tails,
    ends: new Map(log.partitions.map(({ partition, end }) => [partition, end])),
    base: () => read(log.base, () => true),
    // A segment from before the last snapshot may begin before the tail.
    tail: () => read(log.tail, ({ partition, offset }) => offset >= (tails.get(partition) ?? 1)),
  };
}
