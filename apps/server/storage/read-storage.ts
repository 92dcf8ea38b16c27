import { resolve } from 'node:path';
import type { Settings } from '#config';
import { type Database, readDatabaseSize } from '#database';
import { embeddedLogSize, embeddedLogUse } from '#log';
import type { Storage } from '#observe';
import type { LimitedSize } from '../periodic-snapshot';
import { type DiskSpace, diskReserve, diskSpace, mostLogBytes } from './disk-space';

export interface StorageSize extends Omit<Storage, 'disk'> {
  /** Average number of bytes that a record takes on the disk. 0 if it is unknown. */
  readonly recordBytes: number;
}

/** Cannot measure the size of a log on Kafka. */
export async function readStorageSize(
  db: Pick<Database, 'query'>,
  { kafkaBrokers }: Pick<Settings, 'kafkaBrokers'>,
): Promise<StorageSize> {
  const { all, tables, past, wal } = await readDatabaseSize(db);
  const embedded = await embeddedLogSize(db);
  const log = kafkaBrokers === undefined ? embedded : undefined;
  return {
    logBytes: log?.bytes,
    sectionBytes: log?.sectionBytes,
    logSince: log?.since,
    logBytesPerDay: log?.bytesPerDay,
    tableBytes: tables,
    pastBytes: past,
    otherBytes: Math.max(0, all - tables - past - embedded.bytes),
    walBytes: wal,
    recordBytes: log?.recordBytes ?? 0,
  };
}

export function limitedLogSize(
  { kafkaBrokers, databaseUrl, dataDir, logMaxBytes }: Readonly<Settings>,
  db: Pick<Database, 'query'>,
): (() => Promise<LimitedSize>) | undefined {
  if (kafkaBrokers !== undefined || logMaxBytes === 0) return undefined;
  if (databaseUrl !== undefined && logMaxBytes === undefined) return undefined;
  return async () => {
    const total = databaseUrl === undefined ? (await diskSpace(resolve(dataDir))).total : Infinity;
    return { ...(await embeddedLogUse(db)), mostBytes: mostLogBytes(logMaxBytes, total) };
  };
}

const dayMs = 86_400_000;

export function storageOn(
  size: StorageSize,
  { free, total }: DiskSpace,
  settings: Pick<Settings, 'minFreeDisk' | 'logHistory' | 'snapshotInterval' | 'logMaxBytes'>,
): Storage {
  const reserveBytes = diskReserve(settings.minFreeDisk, total);
  const mostBytes = mostLogBytes(settings.logMaxBytes, total);
  const secondsUntilFull = timeUntilFull(size, free - reserveBytes, mostBytes, settings);
  return { ...size, disk: { freeBytes: free, totalBytes: total, reserveBytes, secondsUntilFull } };
}

/**
 * Returns the seconds until the log has grown by `room` bytes at the rate of the last day. Returns undefined if the
 * rate is unknown, or if snapshots keep the log from growing so much.
 */
function timeUntilFull(
  { logBytes = 0, logBytesPerDay = 0 }: StorageSize,
  room: number,
  mostBytes: number,
  { logHistory, snapshotInterval }: Pick<Settings, 'logHistory' | 'snapshotInterval'>,
): number | undefined {
  if (logBytesPerDay <= 0) return undefined;
  const ofHistory = (logBytesPerDay * (logHistory + snapshotInterval)) / dayMs;
  const largestLog = snapshotInterval === 0 ? Infinity : Math.min(ofHistory, Math.max(mostBytes, logBytes));
  if (largestLog - logBytes <= room) return undefined;
  return (Math.max(0, room) / logBytesPerDay) * (dayMs / 1_000);
}
