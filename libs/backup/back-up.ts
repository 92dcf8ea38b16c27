/**
 * Reads the control tables first and determines the end of the log afterwards, so that the backup contains the record
 * of every dead letter. Writes the manifest last. Until then the earlier manifest is valid, so its files are deleted
 * only afterwards.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ControlState, withMaintenanceLock } from '#database';
import { Fault } from '#fault';
import { recordsBetween, lastSnapshotAt, recordsUntil, stopIfAborted, type ReplayContext } from '#projections';
import { commandsWithSections } from '#wire';
import { earlierSegments, isWhole } from './earlier-segments';
import { directoryMode, syncDirectory, unfinished, writeWhole } from './files';
import {
  filesOf,
  findManifest,
  manifestName,
  writeManifest,
  type Manifest,
  type Segment,
  type TableFile,
} from './manifest';
import { SegmentWriter } from './segment-writer';

export interface BackupOptions {
  readonly dir: string;
  readonly release: string;
  /** Where the log is stored: `embedded`, or the name of the topic on Kafka. */
  readonly kept: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Size at which a segment ends. Default: 64 MB. */
  readonly segmentBytes?: number;
}

export interface BackupOutcome {
  readonly manifest: Manifest;
  /** Number of records in the backup. `written` is the number of records that this call has written. */
  readonly records: number;
  readonly written: number;
  readonly bytes: number;
  readonly bytesWritten: number;
  readonly seconds: number;
}

const defaultSegmentBytes = 64 << 20;
const tailFolder = 'tail';
const controlFolder = 'control';

/**
 * Throws `maintenance.busy`, `backup.directory`, `backup.other-log` or `maintenance.stopped`. Throws `backup.damaged`
 * if the existing manifest is damaged. In all these cases, the earlier backup in the directory stays complete.
 */
export async function backUp(context: ReplayContext, options: BackupOptions): Promise<BackupOutcome> {
  const startedAt = performance.now();
  const begun = new Date().toISOString();
  const { dir, release, kept, settings, segmentBytes = defaultSegmentBytes } = options;
  return withMaintenanceLock(context.db, async (requireLock) => {
    const earlier = await prepareDirectory(dir, context.logId);
    const control = await writeControl(context, dir);
    const { log } = context;
    const { starts, tails, ends } = await log.extent();
    const baseName = await nameBase(context, starts, tails);
    const base = await writeBase(context, { dir, baseName, starts, tails, segmentBytes, earlier });
    const tail = await writeTail(context, { dir, tails, ends, segmentBytes, earlier });
    const partitions = [...ends]
      .sort(([a], [b]) => a - b)
      .map(([partition, end]) => ({ partition, tail: tails.get(partition) ?? 1, end }));
    const manifest: Manifest = {
      format: 3,
      release,
      begun,
      ended: new Date().toISOString(),
      log: { id: context.logId, kept, partitions, baseName, base, tail },
      control,
      settings,
    };
    stopIfAborted(context.signal);
    // If the lock was lost, a snapshot can have moved the tail during the backup.
    await requireLock();
    await writeManifest(dir, manifest);
    await removeOthers(dir, manifest);
    const old = new Set((earlier === undefined ? [] : filesOf(earlier)).map(({ file }) => file));
    const files = filesOf(manifest);
    const segments = [...base, ...tail];
    return {
      manifest,
      records: sum(segments.map(({ records }) => records)),
      written: sum(segments.filter(({ file }) => !old.has(file)).map(({ records }) => records)),
      bytes: sum(files.map(({ bytes }) => bytes)),
      bytesWritten: sum(files.filter(({ file }) => !old.has(file)).map(({ bytes }) => bytes)),
      seconds: (performance.now() - startedAt) / 1000,
    };
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/**
 * Creates the directory, and returns the manifest of an earlier backup in it. Throws `backup.other-log` if the earlier
 * backup is of another log, and `backup.directory` if the directory contains anything else.
 */
async function prepareDirectory(dir: string, logId: string): Promise<Manifest | undefined> {
  await mkdir(dir, { recursive: true, mode: directoryMode });
  const earlier = await findManifest(dir);
  if (earlier === undefined) {
    const strange = await findStrange(dir);
    if (strange !== undefined) {
      throw new Fault('conflict', 'backup.directory', `${dir} holds ${strange}, which is of no backup`, {
        hint: 'Name a directory that is empty, that does not exist yet, or that holds a backup. Nothing has been changed.',
      });
    }
  } else if (earlier.log.id !== logId) {
    throw new Fault('conflict', 'backup.other-log', `${dir} holds a backup of log ${earlier.log.id}, not of ${logId}`, {
      hint: 'Back up into another directory. Nothing has been changed.',
    });
  }
  return earlier;
}

const isOurs = (name: string): boolean =>
  [tailFolder, controlFolder, manifestName, `${manifestName}${unfinished}`].includes(name) ||
  /^base-[0-9a-f]{12}$/.test(name);

const isSegment = (name: string): boolean =>
  /^(p\d+(-\d+-\d+\.log|\.part)|blocks-[0-9a-f]{12}\.(log|part))$/.test(name);
const isTable = (name: string): boolean => /^[a-z0-9_]+(-[0-9a-f]{12}\.copy|\.part)$/.test(name);
const isOurFile = (folder: string, name: string): boolean => (folder === controlFolder ? isTable : isSegment)(name);
/** Matches table files that an interrupted backup has not renamed. */
const isUnnamed = (folder: string, name: string): boolean => folder === controlFolder && /^[a-z0-9_]+$/.test(name);

async function findStrange(dir: string): Promise<string | undefined> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    if (!isOurs(entry.name)) return entry.name;
    if (!entry.isDirectory()) continue;
    const names = await readdir(join(dir, entry.name));
    const other = names.find((name) => !isOurFile(entry.name, name) && !isUnnamed(entry.name, name));
    if (other !== undefined) return `${entry.name}/${other}`;
  }
  return undefined;
}

async function writeControl({ db, signal }: ReplayContext, dir: string): Promise<Manifest['control']> {
  const folder = join(dir, controlFolder);
  await mkdir(folder, { recursive: true, mode: directoryMode });
  return ControlState.read(db, async (state) => {
    const tables: TableFile[] = [];
    for (const table of state.tables) {
      stopIfAborted(signal);
      const path = join(folder, table.name);
      const written = await writeWhole(path, state.rows(table));
      // The file name contains the hash of the content, so a file of the earlier backup is never overwritten.
      const file = `${controlFolder}/${table.name}-${written.sha256.slice(0, 12)}.copy`;
      await rename(path, join(dir, file));
      tables.push({ ...table, file, ...written });
    }
    await syncDirectory(folder);
    return { version: state.version, tables, sequences: state.sequences };
  });
}

interface Extent {
  readonly dir: string;
  readonly tails: ReadonlyMap<number, number>;
  readonly segmentBytes: number;
  readonly earlier: Manifest | undefined;
}

/**
 * Returns the folder name for the records before the tail. Only a snapshot changes these records, so each snapshot
 * changes the name.
 */
async function nameBase(
  { db, logId }: ReplayContext,
  starts: ReadonlyMap<number, number>,
  tails: ReadonlyMap<number, number>,
): Promise<string> {
  const text = JSON.stringify([logId, [...starts], [...tails], await lastSnapshotAt(db)]);
  return `base-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

async function writeBase(
  context: ReplayContext,
  {
    dir,
    baseName,
    starts,
    tails,
    segmentBytes,
    earlier,
  }: Extent & { baseName: string; starts: ReadonlyMap<number, number> },
): Promise<readonly Segment[]> {
  if (recordsBetween(starts, tails) === 0) return [];
  if (earlier?.log.baseName === baseName) {
    const there = await Promise.all(earlier.log.base.map((segment) => isWhole(dir, segment)));
    if (there.every(Boolean)) return earlier.log.base;
  }
  const writer = new SegmentWriter(dir, baseName, segmentBytes);
  return write(context, 'copy the base', writer, join(dir, baseName), starts, tails);
}

async function writeTail(
  context: ReplayContext,
  { dir, tails, ends, segmentBytes, earlier }: Extent & { ends: ReadonlyMap<number, number> },
): Promise<readonly Segment[]> {
  const { kept, next } = await earlierSegments(dir, earlier, tails);
  await checkSameCourse(context, dir, kept, next, ends);
  const writer = new SegmentWriter(dir, tailFolder, segmentBytes);
  const written = await write(context, 'copy the log', writer, join(dir, tailFolder), next, ends);
  return inOrder([...kept, ...written]);
}

const inOrder = (segments: readonly Segment[]): Segment[] =>
  [...segments].sort((a, b) => a.partition - b.partition || a.from - b.from);

async function write(
  context: ReplayContext,
  step: string,
  writer: SegmentWriter,
  folder: string,
  from: ReadonlyMap<number, number>,
  to: ReadonlyMap<number, number>,
): Promise<Segment[]> {
  await mkdir(folder, { recursive: true, mode: directoryMode });
  const total = recordsBetween(from, to);
  let done = 0;
  for await (const batch of recordsUntil(context, to, from, { inParts: commandsWithSections })) {
    await writer.add(batch);
    done += batch.length;
    context.onProgress?.({ step, done: Math.min(done, total), total, unit: 'records' });
  }
  const segments = await writer.end();
  await syncDirectory(folder);
  return inOrder(segments);
}

/**
 * Throws `backup.other-log` if the log does not continue the segments of the earlier backup. A log that was restored
 * from an older backup can have different records at the same offsets. So the last record of each partition in the
 * segments must equal the record in the log.
 */
async function checkSameCourse(
  context: ReplayContext,
  dir: string,
  kept: readonly Segment[],
  next: ReadonlyMap<number, number>,
  ends: ReadonlyMap<number, number>,
): Promise<void> {
  const last = new Map(kept.map((segment) => [segment.partition, segment]));
  if (last.size === 0) return;
  const shorter = [...last.values()].find(({ partition, to }) => to > (ends.get(partition) ?? 0));
  if (shorter !== undefined) throw otherCourse(dir, shorter, 'the log ends before');
  const from = new Map([...last.values()].map(({ partition, to }) => [partition, to - 1]));
  const to = new Map([...last.keys()].map((partition) => [partition, next.get(partition) as number]));
  for await (const batch of recordsUntil(context, to, from)) {
    for (const record of batch) {
      const segment = last.get(record.partition) as Segment;
      if (record.uuid !== segment.last) throw otherCourse(dir, segment, 'the log has another record there');
    }
  }
}

const otherCourse = (dir: string, { partition, to }: Segment, what: string): Fault =>
  new Fault('conflict', 'backup.other-log', `${dir} holds the record at ${partition}-${to - 1}, but ${what}`, {
    hint: 'The log was restored from an older state since that backup. Keep this one, and back up into another directory.',
  });

async function removeOthers(dir: string, manifest: Manifest): Promise<void> {
  const named = new Set(filesOf(manifest).map(({ file }) => file));
  for (const folder of await readdir(dir, { withFileTypes: true })) {
    if (!folder.isDirectory() || !isOurs(folder.name)) continue;
    for (const name of await readdir(join(dir, folder.name))) {
      if (isOurFile(folder.name, name) && !named.has(`${folder.name}/${name}`))
        await rm(join(dir, folder.name, name), { force: true });
    }
    if (folder.name.startsWith('base-')) await rmdir(join(dir, folder.name)).catch(() => undefined);
  }
}
