import { createHash, type Hash } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { offsetAfter, type LogRecord } from '#log';
import { fileMode, unfinished } from './files';
import type { Segment } from './manifest';
import { BlockFile } from './block-file';
import { segmentBytes } from './segment-format';

/**
 * A segment that is not complete yet. Its file is open only during a write, because many segments can be incomplete at
 * once.
 */
interface Open {
  readonly part: string;
  readonly from: number;
  readonly hash: Hash;
  waiting: Buffer[];
  bytes: number;
  written: number;
  records: number;
  to: number;
  last: string;
}

const writtenAtOnce = 8 << 20;

export class SegmentWriter {
  private readonly open = new Map<number, Open>();
  private readonly ended: Segment[] = [];
  private readonly blocks: BlockFile;

  constructor(
    private readonly dir: string,
    /** Existing folder below `dir`. */
    private readonly folder: string,
    private readonly largest: number,
  ) {
    this.blocks = new BlockFile(dir, folder);
  }

  /** The records of each partition must be in the order of their offsets. */
  async add(records: readonly LogRecord[]): Promise<void> {
    for (const record of records) {
      const { partition } = record;
      const segment = this.open.get(partition) ?? this.begin(record);
      this.open.set(partition, segment);
      for (const bytes of await segmentBytes(record, this.blocks)) {
        segment.waiting.push(bytes);
        segment.bytes += bytes.length;
      }
      segment.records += 1;
      segment.to = offsetAfter(record);
      segment.last = record.uuid;
      if (segment.bytes >= this.largest) await this.finish(partition, segment);
      else if (segment.bytes - segment.written >= writtenAtOnce) await write(segment);
    }
    for (const segment of this.open.values()) await write(segment);
  }

  async end(): Promise<Segment[]> {
    for (const [partition, segment] of [...this.open]) await this.finish(partition, segment);
    const blocks = await this.blocks.end();
    return this.ended.map((segment) => ({ ...segment, ...(blocks && { blocks }) }));
  }

  private begin({ partition, offset }: LogRecord): Open {
    return {
      part: join(this.dir, this.folder, `p${partition}${unfinished}`),
      from: offset,
      hash: createHash('sha256'),
      waiting: [],
      bytes: 0,
      written: 0,
      records: 0,
      to: offset,
      last: '',
    };
  }

  private async finish(partition: number, segment: Open): Promise<void> {
    this.open.delete(partition);
    await write(segment);
    const { part, from, hash, bytes, records, to, last } = segment;
    const handle = await open(part, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    const file = `${this.folder}/p${partition}-${from}-${to}.log`;
    await rename(part, join(this.dir, file));
    this.ended.push({ file, bytes, sha256: hash.digest('hex'), partition, from, to, records, last });
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
