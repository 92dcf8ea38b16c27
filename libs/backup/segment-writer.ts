import { createHash, type Hash } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { offsetAfter, type LogRecord } from '#log';
import { fileMode, unfinished } from './files';
import type { Segment } from './manifest';
import { SegmentContent } from './segment-format';

/**
 * A segment that is being written. Its file is open only during a write, because many segments may be incomplete at
 * once.
 */
interface Open {
  readonly part: string;
  readonly from: number;
  readonly hash: Hash;
  readonly content: SegmentContent;
  /** What the file does not have yet. */
  waiting: Buffer[];
  written: number;
  records: number;
  to: number;
  last: string;
}

/** Bytes that wait at most before they are written. */
const writtenAtOnce = 8 << 20;
/** Blocks that all open segments together remember: about 90 MB. A segment of the default size has fewer than 50,000. */
const mostBlocks = 600_000;

/** Writes records into segments in a folder of a backup, with separate segments for each partition. */
export class SegmentWriter {
  private readonly open = new Map<number, Open>();

  constructor(
    private readonly dir: string,
    /** An existing folder below `dir`. */
    private readonly folder: string,
    private readonly largest: number,
    /** Number of partitions, whose segments may be open at the same time. */
    private readonly partitions: number,
  ) {}

  /** Returns the segments that these records have completed. The records of a partition must be in order. */
  async add(records: readonly LogRecord[]): Promise<Segment[]> {
    const ended: Segment[] = [];
    const byPartition = new Map<number, LogRecord[]>();
    for (const record of records) {
      const its = byPartition.get(record.partition);
      if (its === undefined) byPartition.set(record.partition, [record]);
      else its.push(record);
    }
    for (const [partition, its] of byPartition) ended.push(...(await this.append(partition, its)));
    return ended;
  }

  async end(): Promise<Segment[]> {
    const ended: Segment[] = [];
    for (const [partition, segment] of [...this.open]) ended.push(await this.finish(partition, segment));
    return ended;
  }

  private async append(partition: number, records: readonly LogRecord[]): Promise<Segment[]> {
    const ended: Segment[] = [];
    for (const record of records) {
      const segment = this.open.get(partition) ?? this.begin(record);
      this.open.set(partition, segment);
      segment.waiting.push(...(await segment.content.add(record)));
      segment.records += 1;
      segment.to = offsetAfter(record);
      segment.last = record.uuid;
      if (segment.content.bytes >= this.largest) ended.push(await this.finish(partition, segment));
      else if (segment.content.bytes - segment.written >= writtenAtOnce) await write(segment);
    }
    const open = this.open.get(partition);
    if (open !== undefined) await write(open);
    return ended;
  }

  private begin({ partition, offset }: LogRecord): Open {
    return {
      part: join(this.dir, this.folder, `p${partition}${unfinished}`),
      from: offset,
      hash: createHash('sha256'),
      content: new SegmentContent(Math.ceil(mostBlocks / this.partitions)),
      waiting: [],
      written: 0,
      records: 0,
      to: offset,
      last: '',
    };
  }

  private async finish(partition: number, segment: Open): Promise<Segment> {
    this.open.delete(partition);
    await write(segment);
    const { part, from, hash, written: bytes, records, to, last } = segment;
    const handle = await open(part, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    const file = `${this.folder}/p${partition}-${from}-${to}.log`;
    await rename(part, join(this.dir, file));
    return { file, bytes, sha256: hash.digest('hex'), partition, from, to, records, last };
  }
}

async function write(segment: Open): Promise<void> {
  if (segment.waiting.length === 0) return;
  const bytes = Buffer.concat(segment.waiting);
  const file = await open(segment.part, segment.written === 0 ? 'w' : 'a', fileMode);
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
  segment.hash.update(bytes);
  segment.waiting = [];
  segment.written += bytes.length;
}
