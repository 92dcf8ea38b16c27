import { Fault } from '#fault';
import { offsetAfter, type LogRecord } from '../record';
import type { Base } from './kafka-bases';
import { isMark } from './marks';
import { beforeBase } from '../read-faults';
import { originalOffsets, plainBytesOf, recordOf, type OriginalOffsets, type ReadMessage } from './record-message';

/**
 * The position of a reader in one partition. If the start offset is before the tail, the cursor first reads the topic
 * of the base, then the topic of the log.
 */
export interface Cursor {
  readonly partition: number;
  topic: string;
  expected: number;
  /** Undefined while the cursor reads the tail. `wanted` is the offset that the next record has in the log. */
  base?: { readonly from: Base; wanted: number };
  hasRead: boolean;
  broker?: string;
  failures?: number;
  /** The time (`performance.now()`) of the first failure since the last successful read. */
  failingSince?: number;
}

/** If a message is not a record, `records` ends before this message and `fault` describes it. */
export interface ReadRecords {
  readonly records: readonly LogRecord[];
  readonly fault?: Fault;
}

const sliceRecords = 64;
const sliceBytes = 2 << 20;

/**
 * Returns the messages before the first gap in their offsets. Stops at the limits on records and inflated bytes, but
 * returns at least one message.
 */
export function contiguous(messages: readonly ReadMessage[]): ReadMessage[] {
  const slice: ReadMessage[] = [];
  const first = Number(messages[0]?.offset);
  let bytes = 0;
  for (const message of messages) {
    if (Number(message.offset) !== first + slice.length) break;
    bytes += plainBytesOf(message);
    if (slice.length > 0 && (slice.length >= sliceRecords || bytes > sliceBytes)) break;
    slice.push(message);
  }
  return slice;
}

export async function readSlice(cursor: Cursor, slice: readonly ReadMessage[]): Promise<ReadRecords> {
  const { base, partition, topic } = cursor;
  const read = base === undefined ? await tailRecords(slice, topic, partition) : await baseRecords(slice, cursor);
  cursor.expected += slice.length;
  const last = read.records.at(-1);
  if (base !== undefined && last !== undefined) base.wanted = offsetAfter(last);
  return read;
}

function tailRecords(slice: readonly ReadMessage[], topic: string, partition: number): Promise<ReadRecords> {
  const originals = slice.map((message) => ({ offset: Number(message.offset) }));
  return recordsAt(slice, originals, topic, partition);
}

/** Each record in a base contains the offset of the next record, so a missing record is noticed. */
async function baseRecords(slice: readonly ReadMessage[], { topic, partition, base }: Cursor): Promise<ReadRecords> {
  const chain: ReadMessage[] = [];
  const originals: OriginalOffsets[] = [];
  let next = base?.wanted ?? 0;
  let fault: Fault | undefined;
  for (const message of slice) {
    const original = originalOffsets(message);
    if (isMark(message) || original.offset < next) continue;
    if (original.offset !== next) {
      fault = beforeBase(partition, next);
      break;
    }
    chain.push(message);
    originals.push(original);
    next = original.next;
  }
  const found = await recordsAt(chain, originals, topic, partition);
  return fault === undefined ? found : { fault, ...found };
}

async function recordsAt(
  messages: readonly ReadMessage[],
  originals: readonly (Pick<OriginalOffsets, 'offset'> & Partial<OriginalOffsets>)[],
  topic: string,
  partition: number,
): Promise<ReadRecords> {
  const found = await Promise.all(
    messages.map(async (message, index) => {
      if (isMark(message)) return undefined;
      const original = originals[index] as OriginalOffsets;
      // A process that is out of memory cannot inflate even a valid payload. Any other error means that no log has
      // written the message.
      return recordOf(message, { partition, ...original }).catch((error: unknown) => {
        if (isOutOfMemory(error)) throw error;
        return undefined;
      });
    }),
  );
  const strange = found.indexOf(undefined);
  if (strange < 0) return { records: found as LogRecord[] };
  const offset = Number(messages[strange]?.offset);
  return { records: found.slice(0, strange) as LogRecord[], fault: foreignMessage(topic, partition, offset) };
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error &&
  (/allocation failed/i.test(error.message) || ('code' in error && error.code === 'Z_MEM_ERROR'));

export const foreignMessage = (topic: string, partition: number, offset: number, cause?: unknown): Fault =>
  new Fault('broken', 'log.foreign', `offset ${offset} of partition ${partition} of topic ${topic} is no command`, {
    hint: 'Something else wrote into the topic. The log has to be restored from a backup, or created again from an export.',
    details: { topic, partition, offset },
    ...(cause !== undefined && { cause }),
  });
