import type { Settings } from '#config';
import { type Database, readDatabaseSize } from '#database';
import { embeddedLogSize } from '#log';
import type { Storage } from '#observe';
import { type DiskSpace, diskReserve } from './disk-space';

export interface StorageSize extends Omit<Storage, 'disk'> {
  /** Bytes on the disk for each record of the log; 0 if this is not known. */
  readonly recordBytes: number;
}

/** Measures what the database holds. The size of a log on Kafka is not known. */
export async function readStorageSize(
  db: Pick<Database, 'query'>,
  { kafkaBrokers }: Pick<Settings, 'kafkaBrokers'>,
): Promise<StorageSize> {
  const { all, tables, wal } = await readDatabaseSize(db);
  const embedded = await embeddedLogSize(db);
  const log = kafkaBrokers === undefined ? embedded : undefined;
  return {
    logBytes: log?.bytes,
    logBytesPerDay: log?.bytesPerDay,
    tableBytes: tables,
    otherBytes: Math.max(0, all - tables - embedded.bytes),
    walBytes: wal,
    recordBytes: log?.recordBytes ?? 0,
  };
}

const dayMs = 86_400_000;

/** Adds the disk, and when it will be full. */
export function storageOn(
  size: StorageSize,
  { free, total }: DiskSpace,
  settings: Pick<Settings, 'minFreeDisk' | 'logHistory' | 'snapshotInterval'>,
): Storage {
  const reserveBytes = diskReserve(settings.minFreeDisk, total);
  const secondsUntilFull = timeUntilFull(size, free - reserveBytes, settings);
  return { ...size, disk: { freeBytes: free, totalBytes: total, reserveBytes, secondsUntilFull } };
}

/**
 * Returns the seconds until the log has taken `room` bytes, if it grows as in the last day. Returns undefined if the growth is
 * not known, or if snapshots will have ended it before: they keep the records of the history, and those since the last one.
 */
function timeUntilFull(
  { logBytes = 0, logBytesPerDay = 0 }: StorageSize,
  room: number,
  { logHistory, snapshotInterval }: Pick<Settings, 'logHistory' | 'snapshotInterval'>,
): number | undefined {
  if (logBytesPerDay <= 0) return undefined;
  const largestLog = snapshotInterval === 0 ? Infinity : (logBytesPerDay * (logHistory + snapshotInterval)) / dayMs;
  if (largestLog - logBytes <= room) return undefined;
  return (Math.max(0, room) / logBytesPerDay) * (dayMs / 1_000);
}
