import type { KafkaMessage } from 'kafkajs';
import { Fault } from '#fault';
import { offsetAfter, type LogRecord } from '../record';
import { beforeBase } from './read-starts';
import { isMark } from './marks';
import { placeOf, recordOf, type OriginalPlace } from './record-message';

/** A partition of a topic that is being read. */
export interface Lane {
  /** Offset in the topic that comes next. */
  expected: number;
  /** Offset that came instead of the expected one, once: it may have been asked for before the last seek. */
  suspect?: number;
  /** Of a base: all below is read, and from which offset of the log on the records are wanted. */
  readonly until?: number;
  wanted?: number;
}

/** What a run of messages holds, up to the first that has no place there. */
export interface LaneRecords {
  readonly records: readonly LogRecord[];
  readonly fault?: Fault;
}

const sliceRecords = 64;
const sliceBytes = 2 << 20;

/** A run of messages without a hole that is not too much at once; at least one. */
export function contiguous(messages: readonly KafkaMessage[]): KafkaMessage[] {
  const slice: KafkaMessage[] = [];
  const first = Number(messages[0]?.offset);
  let bytes = 0;
  for (const message of messages) {
    if (Number(message.offset) !== first + slice.length) break;
    bytes += message.value?.length ?? 0;
    if (slice.length > 0 && (slice.length >= sliceRecords || bytes > sliceBytes)) break;
    slice.push(message);
  }
  return slice;
}

/** Of the tail: every message is a record. A header can only stand before the begin. */
export async function tailRecords(
  slice: readonly KafkaMessage[],
  topic: string,
  partition: number,
): Promise<LaneRecords> {
  const read = await Promise.all(
    slice.map(async (message) =>
      isMark(message) ? undefined : readable(message, { partition, offset: Number(message.offset) }),
    ),
  );
  return untilStrange(read, slice, topic, partition);
}

/** Of a base: from `wanted` on; each record says which is the next, so that none can be missing in silence. */
export async function baseRecords(
  slice: readonly KafkaMessage[],
  topic: string,
  partition: number,
  wanted: number,
): Promise<LaneRecords> {
  const chain: KafkaMessage[] = [];
  const places: OriginalPlace[] = [];
  let next = wanted;
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
  const read = await Promise.all(
    chain.map((message, index) => readable(message, { partition, ...(places[index] as OriginalPlace) })),
  );
  const found = untilStrange(read, chain, topic, partition);
  return fault === undefined ? found : { fault, ...found };
}

/** Where the lane goes on in the log behind these records. */
export const nextOffsetAfter = (records: readonly LogRecord[], wanted: number): number => {
  const last = records.at(-1);
  return last === undefined ? wanted : offsetAfter(last);
};

/** A payload that does not inflate is none of ours either. */
const readable = (...what: Parameters<typeof recordOf>): Promise<LogRecord | undefined> =>
  recordOf(...what).catch(() => undefined);

function untilStrange(
  read: readonly (LogRecord | undefined)[],
  slice: readonly KafkaMessage[],
  topic: string,
  partition: number,
): LaneRecords {
  const records: LogRecord[] = [];
  for (const [index, record] of read.entries()) {
    if (record === undefined) return { records, fault: strange(topic, partition, Number(slice[index]?.offset)) };
    records.push(record);
  }
  return { records };
}

const strange = (topic: string, partition: number, offset: number): Fault =>
  new Fault('broken', 'log.foreign', `offset ${offset} of partition ${partition} of topic ${topic} is no command`, {
    hint: 'Something else wrote into the topic. The log has to be restored from a backup, or created again from an export.',
    details: { topic, partition, offset },
  });
