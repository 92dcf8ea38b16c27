import type { Settings } from '#config';
import { type Database, readDatabaseSize } from '#database';
import { embeddedLogSize } from '#log';
import type { Storage } from '#observe';
import { type DiskSpace, diskReserve } from './disk-space';

export interface StorageSize extends Omit<Storage, 'disk'> {
  /** Bytes on disk for each record of the log; 0 if unknown. */
  readonly recordBytes: number;
}

/** Measures the size of the database. The size of a log on Kafka is unknown. */
export async function readStorageSize(
  db: Pick<Database, 'query'>,
  { kafkaBrokers }: Pick<Settings, 'kafkaBrokers'>,
): Promise<StorageSize> {
  const { all, tables, past, wal } = await readDatabaseSize(db);
  const embedded = await embeddedLogSize(db);
  const log = kafkaBrokers === undefined ? embedded : undefined;
  return {
    logBytes: log?.bytes,
    logBytesPerDay: log?.bytesPerDay,
    tableBytes: tables,
    pastBytes: past,
    otherBytes: Math.max(0, all - tables - past - embedded.bytes),
    walBytes: wal,
    recordBytes: log?.recordBytes ?? 0,
  };
}

const dayMs = 86_400_000;

/** Adds the disk, and the time until it is full. */
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
 * Returns the seconds until the log has grown by `room` bytes at the rate of the last day. Returns undefined if the rate
 * is unknown, or if snapshots stop the growth before that: they keep the records of the history, and those since the
 * last snapshot.
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
