import { Fault } from '#fault';
import { offsetAfter, type LogRecord } from '../record';
import type { Base } from './kafka-bases';
import { isMark } from './marks';
import { beforeBase } from '../read-faults';
import { placeOf, plainBytesOf, recordOf, type OriginalPlace, type ReadMessage } from './record-message';

/** A partition that is being read: first from the topic of a base, if its start lies below the tail, then from the log's. */
export interface Cursor {
  readonly partition: number;
  topic: string;
  /** Offset of the next message in the topic. */
  expected: number;
  /** The base that is being read, and the offset in the log of the next record wanted of it. */
  base?: { readonly from: Base; wanted: number };
  /** Whether a record was read since the cursor was set. */
  hasRead: boolean;
  /** The broker that is asked for the partition; undefined while its leader is looked for. */
  broker?: string;
  /** Failed reads since the last successful one. */
  failures?: number;
  /** Since when reading fails, `performance.now()`. */
  failingSince?: number;
}

/** The records of some messages, up to the first message that is no record. */
export interface ReadRecords {
  readonly records: readonly LogRecord[];
  readonly fault?: Fault;
}

const sliceRecords = 64;
const sliceBytes = 2 << 20;

/** Returns the first messages that have no gap between them, within limits of their inflated size; at least one. */
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

/** Reads contiguous messages at the cursor, and moves the cursor past them. */
export async function readSlice(cursor: Cursor, slice: readonly ReadMessage[]): Promise<ReadRecords> {
  const { base, partition, topic } = cursor;
  const read = base === undefined ? await tailRecords(slice, topic, partition) : await baseRecords(slice, cursor);
  cursor.expected += slice.length;
  const last = read.records.at(-1);
  if (base !== undefined && last !== undefined) base.wanted = offsetAfter(last);
  return read;
}

/** Each message of the tail is a record. A header can only be before the first record. */
function tailRecords(slice: readonly ReadMessage[], topic: string, partition: number): Promise<ReadRecords> {
  const places = slice.map((message) => ({ offset: Number(message.offset) }));
  return recordsAt(slice, places, topic, partition);
}

/** Reads from the wanted offset on. Each record of a base names the offset of the next one, so a missing record is noticed. */
async function baseRecords(slice: readonly ReadMessage[], { topic, partition, base }: Cursor): Promise<ReadRecords> {
  const chain: ReadMessage[] = [];
  const places: OriginalPlace[] = [];
  let next = base?.wanted ?? 0;
  let fault: Fault | undefined;
  for (const message of slice) {
    const place = placeOf(message);
    if (isMark(message) || place.offset < next) continue;
    if (place.offset !== next) {
      fault = beforeBase(partition, next);
      break;
    }
    chain.push(message);
    places.push(place);
    next = place.next;
  }
  const found = await recordsAt(chain, places, topic, partition);
  return fault === undefined ? found : { fault, ...found };
}

async function recordsAt(
  messages: readonly ReadMessage[],
  places: readonly (Pick<OriginalPlace, 'offset'> & Partial<OriginalPlace>)[],
  topic: string,
  partition: number,
): Promise<ReadRecords> {
  const found = await Promise.all(
    messages.map(async (message, index) => {
      if (isMark(message)) return undefined;
      const place = places[index] as OriginalPlace;
      // A payload that cannot be inflated was not written by a log either, unless there is not enough memory.
      return recordOf(message, { partition, ...place }).catch((error: unknown) => {
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
