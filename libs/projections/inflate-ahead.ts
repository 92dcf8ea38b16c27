import { isFault } from '#fault';
import type { LogRecord } from '#log';
import { inflate } from '#wire';
import type { MemoryShare } from './batch-memory';

/** How many payloads are inflated ahead of the one being decoded. */
const mostAhead = 4;

/** What is given for a record that needs no payload, because it is refused anyway. */
export const unread = Symbol('unread');

interface InflateOptions {
  /** Bytes that a payload may have; a larger one gives the Fault `wire.too-large`. */
  readonly mostBytes: number;
  /** The memory of the batch. The first payload is given however large it is. */
  readonly memory: Pick<MemoryShare, 'takeFirst' | 'take' | 'free'>;
  readonly isRefused: (record: LogRecord) => boolean;
}

/**
 * Takes records in order, gives them with their inflated payloads, or why there is none; ends before the one that would
 * exceed the room. Counted is what really came out: what a stream says of its own size may be false. Holds at most the
 * room, once more for each payload that is inflated ahead, and one payload that is larger than the room.
 */
export async function* inflateAhead(
  records: readonly LogRecord[],
  { mostBytes, memory, isRefused }: InflateOptions,
): AsyncGenerator<readonly [LogRecord, Buffer | Error | typeof unread], void, undefined> {
  const start = async (index: number): Promise<Buffer | Error | typeof unread | undefined> => {
    const record = records[index] as LogRecord;
    if (isRefused(record)) return unread;
    const most = index === 0 ? mostBytes : Math.min(mostBytes, memory.free);
    if (most === 0) return undefined;
    try {
      return await inflate(record.payload, record.encoding, most);
    } catch (error) {
      const isTooLarge = isFault(error) && error.code === 'wire.too-large';
      return isTooLarge && most < mostBytes ? undefined : (error as Error);
    }
  };
  const ahead: ReturnType<typeof start>[] = [];
  for (let index = 0; index < records.length; index++) {
    while (ahead.length < Math.min(mostAhead, records.length - index)) ahead.push(start(index + ahead.length));
    const payload = await (ahead.shift() as ReturnType<typeof start>);
    if (payload === undefined) return;
    if (Buffer.isBuffer(payload)) {
      if (index === 0) await memory.takeFirst(payload.length);
      else if (!memory.take(payload.length)) return;
    }
    yield [records[index] as LogRecord, payload];
  }
}
