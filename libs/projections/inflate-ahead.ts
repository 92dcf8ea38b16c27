import { isFault } from '#fault';
import type { LogRecord, RecordParts } from '#log';
import { type DocumentParts, inflate } from '#wire';
import type { MemoryShare } from './batch-memory';

const mostAhead = 4;

/** Yielded for a refused record, whose payload is not read. */
export const unread = Symbol('unread');

/** A payload whose large sections are stored separately. */
export class DividedPayload implements DocumentParts {
  readonly sections: DocumentParts['sections'];
  readonly length: number;

  /** `bytes` contains the sections. It is undefined if the tables probably contain the sections already. */
  constructor(
    readonly parts: RecordParts,
    readonly rest: Buffer,
    bytes?: readonly Buffer[],
  ) {
    this.sections = parts.sections.map((section, index) => ({ ...section, bytes: bytes?.[index] }));
    this.length = bytes === undefined ? rest.length : parts.length;
  }
}

type Inflated = Buffer | DividedPayload | Error | typeof unread;

interface InflateOptions {
  /** A larger payload causes the fault `wire.too-large`. */
  readonly mostBytes: number;
  readonly memory: Pick<MemoryShare, 'takeFirst' | 'take' | 'free'>;
  readonly isRefused: (record: LogRecord) => boolean;
  /** Returns whether the tables probably contain the sections of a record in parts. */
  readonly isUnchanged: (record: LogRecord, parts: RecordParts) => boolean;
}

/**
 * Yields records in order with their inflated payloads. Ends before the first record whose payload does not fit into
 * `memory`. Counts the inflated bytes, because the size in a gzip stream can be wrong.
 */
export async function* inflateAhead(
  records: readonly LogRecord[],
  { mostBytes, memory, isRefused, isUnchanged }: InflateOptions,
): AsyncGenerator<readonly [LogRecord, Inflated], void, undefined> {
  const start = async (index: number): Promise<Inflated | undefined> => {
    const record = records[index] as LogRecord;
    if (isRefused(record)) return unread;
    const most = index === 0 ? mostBytes : Math.min(mostBytes, memory.free);
    if (most === 0) return undefined;
    const { parts } = record;
    let { payload } = record;
    if (parts !== undefined) {
      const isTooLarge = parts.length > mostBytes;
      if (!isTooLarge && isUnchanged(record, parts)) return new DividedPayload(parts, await parts.rest());
      if (parts.length > most && most < mostBytes) return undefined;
      if (!isTooLarge) return new DividedPayload(parts, await parts.rest(), await parts.sectionBytes());
      payload = await parts.whole();
    }
    try {
      return await inflate(payload, record.encoding, most);
    } catch (error) {
      const isTooLarge = isFault(error) && error.code === 'wire.too-large';
      return isTooLarge && most < mostBytes ? undefined : (error as Error);
    }
  };
  const ahead: ReturnType<typeof start>[] = [];
  for (let index = 0; index < records.length; index++) {
    while (ahead.length < Math.min(mostAhead, records.length - index)) {
      const started = start(index + ahead.length);
      started.catch(() => undefined);
      ahead.push(started);
    }
    const payload = await (ahead.shift() as ReturnType<typeof start>);
    if (payload === undefined) return;
    if (Buffer.isBuffer(payload) || payload instanceof DividedPayload) {
      if (index === 0) await memory.takeFirst(payload.length);
      else if (!memory.take(payload.length)) return;
    }
    yield [records[index] as LogRecord, payload];
  }
}
