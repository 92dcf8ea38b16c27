/** The manifest is written last. Files that the manifest does not list do not belong to the backup. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { moveHint } from '#database';
import { Fault } from '#fault';
import { writeWhole } from './files';

export interface BackupFile {
  /** Path relative to the directory of the backup, with slashes. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** `from` is inclusive, and `to` is exclusive. */
export interface Segment extends BackupFile {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly last: string;
  /** Repeated sections of the records. Several segments can share one file. */
  readonly blocks?: BackupFile;
}

export interface TableFile extends BackupFile {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface PartitionExtent {
  readonly partition: number;
  readonly tail: number;
  readonly end: number;
}

export interface Manifest {
  /** Release 0.2.0 wrote format 2, which has no files of blocks. */
  readonly format: 2 | 3;
  readonly release: string;
  /** Times in ISO 8601 (UTC). */
  readonly begun: string;
  readonly ended: string;
  readonly log: {
    readonly id: string;
    /** Where the log is stored: `embedded`, or the name of the topic on Kafka. */
    readonly kept: string;
    readonly partitions: readonly PartitionExtent[];
    /** Folder of the records before the tail. The name changes with each snapshot. */
    readonly baseName: string;
    /** Segments before the tail. `base` and `tail` are in the order of partitions and offsets. */
    readonly base: readonly Segment[];
    readonly tail: readonly Segment[];
  };
  readonly control: {
    readonly version: number;
    readonly tables: readonly TableFile[];
    readonly sequences: Readonly<Record<string, number>>;
  };
  /**
   * Settings that an operator had set. Passwords are hidden. A restore shows these settings, but does not apply them.
   */
  readonly settings: Readonly<Record<string, string>>;
}

export const manifestName = 'manifest.json';
/** Builds before release 0.2.0 wrote format 1. */
const format = 3;

export async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
  await writeWhole(join(dir, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Returns undefined if the directory has no manifest. Throws `backup.damaged`, `backup.newer` or `backup.unreleased`.
 */
export async function findManifest(dir: string): Promise<Manifest | undefined> {
  const path = join(dir, manifestName);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  let content: { readonly format?: unknown; readonly release?: unknown } | null;
  try {
    content = JSON.parse(text) as object | null;
  } catch (cause) {
    throw new Fault('broken', 'backup.damaged', `${path} is no JSON`, {
      hint: 'It was changed or cut off after the backup. Use another copy of the backup.',
      cause,
    });
  }
  if (typeof content?.format === 'number' && content.format > format) {
    throw new Fault('conflict', 'backup.newer', `${path} has format ${content.format}; this release reads ${format}`, {
      hint: `Release ${String(content.release)} wrote it: use that release.`,
    });
  }
  if (content?.format === 1) {
    throw new Fault('conflict', 'backup.unreleased', `${path} has format 1; this release reads ${format}`, {
      hint: moveHint,
    });
  }
  const manifest = content as Manifest;
  let problem: string | undefined;
  try {
    problem = problemOf(manifest);
  } catch {
    // In an edited file, a field can have any type.
    problem = 'a member has another type';
  }
  if (problem !== undefined) {
    throw new Fault('broken', 'backup.damaged', `${path} is no manifest of a backup: ${problem}`, {
      hint: 'It was changed after the backup. Use another copy of the backup.',
    });
  }
  return manifest;
}

/** Throws `backup.no-backup` if there is no manifest, and the faults of `findManifest`. */
export async function readManifest(dir: string): Promise<Manifest> {
  const manifest = await findManifest(dir);
  if (manifest !== undefined) return manifest;
  throw new Fault('missing', 'backup.no-backup', `${dir} holds no backup: there is no ${manifestName}`, {
    hint: 'Name the directory of a backup that has ended.',
  });
}

/** Returns each file once, because several segments can share a file. */
export function filesOf({ log, control }: Manifest): readonly BackupFile[] {
  const files = [...log.base, ...log.tail, ...control.tables].flatMap((file) => [
    file,
    ...('blocks' in file ? [file.blocks] : []),
  ]);
  return [...new Map(files.map((one) => [one.file, one])).values()];
}

/** Counts the records of the tail by their offsets, because the first segment of the tail can begin before the tail. */
export function recordsOf({ log }: Manifest): number {
  const base = log.base.reduce((sum, { records }) => sum + records, 0);
  return log.partitions.reduce((sum, { tail, end }) => sum + end - tail, base);
}

/** Returns undefined if the manifest is valid. Throws if a field has another type. */
function problemOf(manifest: Manifest): string | undefined {
  const { log, control } = manifest as Partial<Manifest>;
  if (manifest.format !== 2 && manifest.format !== format) return 'it has no known format';
  if (typeof log?.id !== 'string' || !Array.isArray(log.partitions) || !Array.isArray(log.base)) return 'no log';
  if (!Array.isArray(log.tail) || !Array.isArray(control?.tables)) return 'no files';
  if (typeof control.version !== 'number' || typeof control.sequences !== 'object') return 'no control tables';
  const isExtent = ({ partition, tail, end }: PartitionExtent, index: number): boolean =>
    partition === index && [tail, end].every(Number.isSafeInteger);
  if (!log.partitions.every(isExtent)) return 'its partitions are not in order, or have no offsets';
  for (const { file, bytes, sha256 } of filesOf(manifest)) {
    if (typeof file !== 'string' || !/^[a-z0-9_-]+(\/[a-z0-9_-]+(\.[a-z0-9]+)?)+$/.test(file)) return `file ${file}`;
    if (!Number.isSafeInteger(bytes) || !/^[0-9a-f]{64}$/.test(sha256)) return `size or hash of ${file}`;
  }
  const ends = [...log.partitions].map(({ tail }) => tail);
  for (const { partition, from, to, file, records } of log.tail) {
    const { tail, end } = log.partitions[partition] ?? { tail: 0, end: -1 };
    const expected = ends[partition] as number;
    const first = expected === tail;
    if (to > end || to <= from || (first ? from > tail || to <= tail : from !== expected)) {
      return `${file} does not follow the records before it`;
    }
    if (records !== to - from) return `${file} has ${records} records for ${to - from} offsets`;
    ends[partition] = to;
  }
  const short = log.partitions.find(({ end }, index) => ends[index] !== end);
  return short && `the records of partition ${short.partition} end too early`;
}
