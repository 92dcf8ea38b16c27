import { createHash, type Hash } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { offsetAfter, type LogRecord } from '#log';
import { fileMode, unfinished } from './files';
import type { Segment } from './manifest';
import { segmentBytes } from './segment-format';

/**
 * A segment that is being written. Its file is open only during a write, because many segments may be incomplete at
 * once.
 */
interface Open {
  readonly part: string;
  readonly from: number;
  readonly hash: Hash;
  bytes: number;
  records: number;
  to: number;
  last: string;
}

/** Writes records into segments in a folder of a backup. Each partition has its own segments. */
export class SegmentWriter {
  private readonly open = new Map<number, Open>();

  constructor(
    private readonly dir: string,
    /** An existing folder below `dir`. */
    private readonly folder: string,
    private readonly largest: number,
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
    for (const [partition, its] of byPartition) {
      const segment = await this.append(partition, its);
      if (segment.bytes < this.largest) continue;
      ended.push(await this.finish(partition, segment));
    }
    return ended;
  }

  async end(): Promise<Segment[]> {
    const ended: Segment[] = [];
    for (const [partition, segment] of [...this.open]) ended.push(await this.finish(partition, segment));
    return ended;
  }

  private async append(partition: number, records: readonly LogRecord[]): Promise<Open> {
    const [first, last] = [records[0] as LogRecord, records.at(-1) as LogRecord];
    const part = join(this.dir, this.folder, `p${partition}${unfinished}`);
    const segment: Open = this.open.get(partition) ?? {
      part,
      from: first.offset,
      hash: createHash('sha256'),
      bytes: 0,
      records: 0,
      to: first.offset,
      last: '',
    };
    const pieces = (await Promise.all(records.map(segmentBytes))).flat();
    const file = await open(part, segment.bytes === 0 ? 'w' : 'a', fileMode);
    try {
      await file.writeFile(Buffer.concat(pieces));
    } finally {
      await file.close();
    }
    for (const piece of pieces) {
      segment.hash.update(piece);
      segment.bytes += piece.length;
    }
    segment.records += records.length;
    segment.to = offsetAfter(last);
    segment.last = last.uuid;
    this.open.set(partition, segment);
    return segment;
  }

  private async finish(partition: number, segment: Open): Promise<Segment> {
    this.open.delete(partition);
    const { part, from, hash, bytes, records, to, last } = segment;
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
