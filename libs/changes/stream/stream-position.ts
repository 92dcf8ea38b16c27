/** The position in the log up to which a client has read changes. */
export interface StreamPosition {
  /** Identifies the log and its database. Offsets from different logs cannot be compared. */
  readonly log: string;
  /** For each partition, the offset of the first unread record. */
  readonly offsets: readonly number[];
  /**
   * For each partition, a time in milliseconds since 1970. All unread records were received at or after this time.
   * -Infinity if the partition has never had a record.
   */
  readonly times: readonly number[];
}

/** Offset of the first record in a partition. At offset 0, each partition has a header. */
export const firstOffset = 1;

const form = /^([0-9a-f]{16}):([\d,]+)@(\d{1,15})$/;
const offsetForm = /^\d{1,15}$/;
const mostPartitions = 1_024;
const longest = 20_000;

/** Returns a text such as `3f2a9c1e55d0b718:1207,893,12@1764000000000`. It contains only the earliest of the times. */
export function writePosition({ log, offsets, times }: StreamPosition): string {
  const known = times.filter((_, partition) => hasBegun(offsets, partition));
  const time = known.length === 0 ? 0 : Math.max(0, Math.floor(Math.min(...known)));
  return `${log}:${offsets.join(',')}@${time}`;
}

/** Parses a text that `writePosition` has made. Returns undefined if the text is not a position. */
export function readPosition(text: string): StreamPosition | undefined {
  const [, log, list, time] = (text.length > longest ? null : form.exec(text)) ?? [];
  if (log === undefined || list === undefined) return undefined;
  const parts = list.split(',');
  if (parts.length > mostPartitions || !parts.every((one) => offsetForm.test(one))) return undefined;
  const offsets = parts.map(Number);
  return { log, offsets, times: offsets.map((_, at) => (hasBegun(offsets, at) ? Number(time) : -Infinity)) };
}

const hasBegun = (offsets: readonly number[], partition: number): boolean => (offsets[partition] ?? 0) > firstOffset;

/** Returns whether a reader at `position` has read all records before `other`. Returns false if the logs differ. */
export const isAtOrAfter = (position: StreamPosition, other: StreamPosition): boolean =>
  position.log === other.log &&
  other.offsets.every((offset, partition) => (position.offsets[partition] ?? 0) >= offset);

/** Returns a position with the later offset of both positions in each partition. Returns `next` if the logs differ. */
export function laterOf(position: StreamPosition, next: StreamPosition): StreamPosition {
  if (position === next || position.log !== next.log || isAtOrAfter(next, position)) return next;
  const isLater = next.offsets.map((offset, partition) => offset >= (position.offsets[partition] ?? 0));
  const choose = (own: readonly number[], others: readonly number[]): number[] =>
    isLater.map((later, partition) => (later ? others : own)[partition] ?? 0);
  return {
    log: next.log,
    offsets: choose(position.offsets, next.offsets),
    times: choose(position.times, next.times),
  };
}
