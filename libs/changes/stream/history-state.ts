import type { Session } from '#database';
import { Fault } from '#fault';
import type { StreamPosition } from './stream-position';

/** Times are in milliseconds since 1970. */
interface PartitionHistory {
  readonly partition: number;
  readonly start: number;
  /**
   * The time of the record at `start`. -Infinity if this record is the first of the partition. Null if the partition
   * has no record at or after `start`.
   */
  readonly earliest: number | null;
  readonly latest: number | null;
  /** The first offset whose record is at or after the requested time. Null if the history begins after this time. */
  readonly next: number | null;
}

/**
 * Returns the range of the history in each partition. If `since` is given, also finds the offsets for this time
 * (`next`). Throws `query.no-history` if the tables keep no history.
 */
export async function readHistory(
  session: Pick<Session, 'query'>,
  schema: string,
  since?: number,
): Promise<readonly PartitionHistory[]> {
  const ms = (at: string): string => `extract(epoch FROM ${at})::float8 * 1000`;
  const rows = await session.query<PartitionHistory>({
    text: `SELECT s.log_partition AS partition, s.next_offset AS start,
             (SELECT ${ms('t.at')} FROM ${schema}.history_times t WHERE t.log_partition = s.log_partition ORDER BY t.at LIMIT 1) AS earliest,
             (SELECT ${ms('t.at')} FROM ${schema}.history_times t WHERE t.log_partition = s.log_partition ORDER BY t.at DESC LIMIT 1) AS latest,
             (SELECT t.next_offset FROM ${schema}.history_times t
              WHERE t.log_partition = s.log_partition AND t.at < to_timestamp($1::float8 / 1000) ORDER BY t.at DESC LIMIT 1) AS next
           FROM ${schema}.history_starts s ORDER BY s.log_partition`,
    values: [since === undefined || since === -Infinity ? null : since],
  });
  if (rows.length === 0) {
    throw new Fault('malformed', 'query.no-history', 'The tables keep no history, so changes cannot be followed.', {
      hint: 'NODELEDGER_HISTORY=14d keeps the history of 14 days from then on.',
    });
  }
  return rows;
}

/** Thrown if the tables no longer contain the changes after the requested position. */
export class ChangesGone extends Fault {
  /** The earliest time from which changes can be read, in ISO 8601, UTC. Absent if the tables contain no change. */
  readonly earliest: string | undefined;

  constructor(
    history: readonly PartitionHistory[],
    /**
     * The requested position, but moved to the start of the history in each partition whose next changes are missing.
     */
    readonly known: StreamPosition,
  ) {
    const times = history.map(({ earliest }) => earliest);
    const begun = times.filter((time) => time !== null && Number.isFinite(time)) as number[];
    // Rounds up, because rounding down would give a time before the history begins.
    const earliest =
      times.includes(null) || begun.length === 0 ? undefined : new Date(Math.ceil(Math.max(...begun))).toISOString();
    super(
      'missing',
      'changes.gone',
      earliest === undefined
        ? 'The changes after this position are no longer known: the history begins with the next command.'
        : `The changes after this position are no longer known. The earliest known changes are from ${earliest}.`,
      {
        hint: 'Query the present state, then follow the changes from now on (without Last-Event-ID) or from the earliest time (with since).',
        details: { status: 410, ...(earliest !== undefined && { earliest }) },
      },
    );
    this.earliest = earliest;
  }
}

/**
 * Converts a position in another log to a position in the present log, by its time. A reader that continues there
 * misses no record, because all unread records were received at or after the time of the position. It may read some
 * records again.
 */
export async function placeByTime(
  session: Pick<Session, 'query'>,
  schema: string,
  { offsets, times }: StreamPosition,
  log: string,
): Promise<StreamPosition> {
  const begun = times.filter((time) => time !== -Infinity);
  const since = begun.length === 0 ? -Infinity : Math.min(...begun);
  const history = await readHistory(session, schema, since);
  const hasSamePartitions = history.length === offsets.length;
  const timeOf = (partition: number): number => {
    if (hasSamePartitions) return times[partition] as number;
    return begun.length === times.length ? since : -Infinity;
  };
  // If the reader has read nothing from a partition, it needs the first record of the partition.
  const found = history.map(({ start, earliest, next }, partition) =>
    timeOf(partition) > -Infinity ? next : earliest === -Infinity ? start : null,
  );
  const placed: StreamPosition = {
    log,
    offsets: found.map((offset, partition) => offset ?? history[partition]!.start),
    times: found.map((_, partition) => timeOf(partition)),
  };
  if (found.includes(null)) throw new ChangesGone(history, placed);
  return placed;
}
