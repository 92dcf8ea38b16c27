/**
 * Restores a backup into an empty database, with each record at its original offset. No service starts on the database
 * until the restore has ended.
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
import { fillRestored, stopIfAborted, type ReplayContext } from '#projections';
import { checkBackup } from './check-backup';
import { readManifest, recordsOf, type Manifest, type Segment } from './manifest';
import { readSegment } from './segment-format';

export interface RestoreTarget {
  readonly db: Database;
  readonly connectionString: string;
  /** Must be empty and not open yet. The restore opens it. */
  readonly log: CommandLog;
  readonly replay: Omit<ReplayContext, 'db' | 'log' | 'logId'>;
}

export interface RestoreOutcome {
  readonly manifest: Manifest;
  readonly records: number;
  readonly seconds: number;
}

/** Throws `backup.no-backup`, `backup.damaged` or `backup.newer`. */
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
 * Restores a backup that `checkedBackup` has checked. Throws `maintenance.busy`, `restore.not-empty`, `log.not-empty`,
 * `maintenance.stopped`, and the faults of the log and of a replay. After an interruption, another call starts from the
 * beginning.
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
  stopIfAborted(signal);
  await log.restore(contentOf(dir, manifest, replay));
  const { logId } = await log.open();
  await fillRestored({ ...replay, db, log, logId }, recordsOf(manifest));
  await endRestore(db);
}

/**
 * Loads the rows of the control tables. These tables must have the structure of the release that made the backup. The
 * caller then runs the migrations of later releases, which convert the rows.
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
    for (const { file, partition, records, blocks } of segments) {
      const blocksPath = blocks && join(dir, blocks.file);
      for await (const record of readSegment(join(dir, file), partition, blocksPath)) {
        stopIfAborted(signal);
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
    // Skips the records before the tail. The first segment can contain such records.
    tail: () => read(log.tail, ({ partition, offset }) => offset >= (tails.get(partition) ?? 1)),
  };
}
