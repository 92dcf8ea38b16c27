import { resolve } from 'node:path';
import { type Settings, showByteSize } from '#config';
import type { Database } from '#database';
import type { Storage } from '#observe';
import { diskSpace } from '../../server/storage/disk-space';
import { readStorageSize, storageOn } from '../../server/storage/read-storage';
import { formatDays } from '../amounts';
import type { Finding } from './finding';

const check = 'disk';
const soonSeconds = 14 * 86_400;

export async function checkDisk(settings: Readonly<Settings>, db: Database): Promise<Finding> {
  const size = await readStorageSize(db, settings);
  if (settings.databaseUrl !== undefined) return diskFinding(size, '');
  const directory = resolve(settings.dataDir);
  return diskFinding(storageOn(size, await diskSpace(directory), settings), directory);
}

function logOf(bytes: number | undefined, sectionBytes: number | undefined): string {
  if (bytes === undefined) return '';
  const sections = sectionBytes === undefined ? '' : ` (${showByteSize(sectionBytes)} of it sections of documents)`;
  return `, the log ${showByteSize(bytes)}${sections}`;
}

/** `disk` is undefined for an external PostgreSQL, because this program cannot measure its disk. */
export function diskFinding(
  { disk, logBytes, sectionBytes, logSince, logBytesPerDay, tableBytes, pastBytes, walBytes }: Storage,
  directory: string,
): Finding {
  const sentences = [
    disk === undefined
      ? 'The free disk space of the PostgreSQL server is not known here.'
      : `${showByteSize(disk.freeBytes)} of ${showByteSize(disk.totalBytes)} are free on the disk of ${directory}.`,
    `The read tables take ${showByteSize(tableBytes)}, their past ${showByteSize(pastBytes)}${walBytes === undefined ? '' : `, the write-ahead log ${showByteSize(walBytes)}`}${logOf(logBytes, sectionBytes)}.`,
  ];
  if (logSince !== undefined) sentences.push(`The history in the log begins at ${new Date(logSince).toISOString()}.`);
  if (logBytesPerDay !== undefined) sentences.push(`The log grows ${showByteSize(logBytesPerDay)} a day.`);
  const { secondsUntilFull } = disk ?? {};
  if (secondsUntilFull !== undefined)
    sentences.push(`At that rate, the disk is full in ${formatDays(secondsUntilFull)}.`);
  const isLow = disk !== undefined && disk.freeBytes < disk.reserveBytes;
  if (isLow) sentences.push(`Commands are refused below ${showByteSize(disk.reserveBytes)}.`);
  const isSoon = secondsUntilFull !== undefined && secondsUntilFull < soonSeconds;
  const isNear = disk !== undefined && disk.freeBytes < 2 * disk.reserveBytes;
  const text = sentences.join(' ');
  if (!isLow && !isSoon && !isNear) return { check, level: 'ok', text };
  return {
    check,
    level: isLow ? 'error' : 'warning',
    text,
    remedy:
      'Enlarge the file system, or keep less: NODELEDGER_LOG_HISTORY, NODELEDGER_HISTORY and NODELEDGER_REPORT_TTL (docs/install.md says what a fleet needs).',
  };
}
