import { offsetAfter, type LogRecord } from '#log';
import { BlockFile } from './block-file';
import type { Segment } from './manifest';
import { PartFile } from './part-file';
import { segmentBytes } from './segment-format';

interface Open {
  readonly file: PartFile;
  readonly from: number;
  records: number;
  to: number;
  last: string;
}

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
      for (const bytes of await segmentBytes(record, this.blocks)) segment.file.add(bytes);
      segment.records += 1;
      segment.to = offsetAfter(record);
      segment.last = record.uuid;
      if (segment.file.bytes >= this.largest) await this.finish(partition, segment);
      else await segment.file.writeMany();
    }
    for (const { file } of this.open.values()) await file.write();
  }

  async end(): Promise<Segment[]> {
    for (const [partition, segment] of [...this.open]) await this.finish(partition, segment);
    const blocks = await this.blocks.end();
    return this.ended.map((segment) => ({ ...segment, ...(blocks && { blocks }) }));
  }

  private begin({ partition, offset }: LogRecord): Open {
    const file = new PartFile(this.dir, this.folder, `p${partition}`);
    return { file, from: offset, records: 0, to: offset, last: '' };
  }

  private async finish(partition: number, { file, from, records, to, last }: Open): Promise<void> {
    this.open.delete(partition);
    const written = await file.end(`p${partition}-${from}-${to}`);
    this.ended.push({ ...written, partition, from, to, records, last });
  }
}
