/** manifest.json: what a backup holds. It is written last, so that files which it does not name count for nothing. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '#fault';
import { writeWhole } from './files';

export interface BackupFile {
  /** Path below the directory of the backup, with slashes. */
  readonly file: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** Records of one partition, from offset `from` to before offset `to`. */
export interface Segment extends BackupFile {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
  readonly records: number;
  /** uuid of the last record. */
  readonly last: string;
}

export interface TableFile extends BackupFile {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface PartitionExtent {
  readonly partition: number;
  /** Where the tail begins: below it only what still counted is kept, in the base. */
  readonly tail: number;
  /** Offset behind the last record. */
  readonly end: number;
}

export interface Manifest {
  readonly format: 1;
  /** Release that made it. */
  readonly release: string;
  /** ISO 8601, UTC. */
  readonly begun: string;
  readonly ended: string;
  readonly log: {
    readonly id: string;
    /** For people: `embedded`, or the topic. */
    readonly kept: string;
    readonly partitions: readonly PartitionExtent[];
    /** Of which base `base` is made; changes with each snapshot. */
    readonly baseName: string;
    /** In the order of their offsets within each partition. */
    readonly base: readonly Segment[];
    readonly tail: readonly Segment[];
  };
  readonly control: {
    /** How many migrations the control tables had. */
    readonly version: number;
    readonly tables: readonly TableFile[];
    readonly sequences: Readonly<Record<string, number>>;
  };
  /** Settings that were not left as they are, by key; passwords are replaced. For people. */
  readonly settings: Readonly<Record<string, string>>;
}

export const manifestName = 'manifest.json';
const format = 1;

export async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
  await writeWhole(join(dir, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Undefined: there is none. Faults: `backup.damaged` (broken), `backup.newer` (conflict). */
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
    throw new Fault('conflict', 'backup.newer', `${path} has form ${content.format}; this release knows ${format}`, {
      hint: `It was made by release ${String(content.release)}: use that one.`,
    });
  }
  const manifest = content as Manifest;
  let problem: string | undefined;
  try {
    problem = problemOf(manifest);
  } catch {
    // It may have been written by anybody: null may be where a list or a file is expected.
    problem = 'a member has another type';
  }
  if (problem !== undefined) {
    throw new Fault('broken', 'backup.damaged', `${path} is no manifest of a backup: ${problem}`, {
      hint: 'It was changed after the backup. Use another copy of the backup.',
    });
  }
  return manifest;
}

/** Fault `backup.no-backup` (missing), and those of findManifest. */
export async function readManifest(dir: string): Promise<Manifest> {
  const manifest = await findManifest(dir);
  if (manifest !== undefined) return manifest;
  throw new Fault('missing', 'backup.no-backup', `${dir} holds no backup: there is no ${manifestName}`, {
    hint: 'Name the directory of a backup that has ended.',
  });
}

export const filesOf = ({ log, control }: Manifest): readonly BackupFile[] => [
  ...log.base,
  ...log.tail,
  ...control.tables,
];

/** Number of records that a restore writes. A segment from before the last snapshot may begin before the tail. */
export function recordsOf({ log }: Manifest): number {
  const base = log.base.reduce((sum, { records }) => sum + records, 0);
  return log.partitions.reduce((sum, { tail, end }) => sum + end - tail, base);
}

/** Returns what is wrong with a manifest. Throws if a member has another type. */
function problemOf(manifest: Manifest): string | undefined {
  const { log, control } = manifest as Partial<Manifest>;
  if (manifest.format !== format) return 'it has no known form';
  if (typeof log?.id !== 'string' || !Array.isArray(log.partitions) || !Array.isArray(log.base)) return 'no log';
  if (!Array.isArray(log.tail) || !Array.isArray(control?.tables)) return 'no files';
  if (typeof control.version !== 'number' || typeof control.sequences !== 'object') return 'no control tables';
  const isExtent = ({ partition, tail, end }: PartitionExtent, index: number): boolean =>
    partition === index && [tail, end].every(Number.isSafeInteger);
  if (!log.partitions.every(isExtent)) return 'its partitions are not in order, or have no offsets';
  for (const { file, bytes, sha256 } of filesOf(manifest)) {
    // Never a way out of the directory.
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
