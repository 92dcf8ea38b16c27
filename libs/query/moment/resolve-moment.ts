import type { Generation, Sql } from '#database';
import { arrayLiteral, isoTime } from '#database/sql-text';
import { Fault } from '#fault';
import type { PlacedMoment } from '../sql/fragment';
import type { Moment } from './moment';

export interface ResolvedMoment extends PlacedMoment {
  /** Value of the header X-Nodeledger-As-Of: `<next offset of each partition>@<time>`. */
  readonly name: string;
  /** Offset of the next record in each partition. */
  readonly offsets: readonly string[];
  /**
   * Kinds of data of which some was removed after the moment because of an age limit. Answers about the moment lack
   * this data.
   */
  readonly removed: readonly Removed[];
}

/**
 * `reports` and `events` mean that all reports or events from before the time `before` were removed. `nodes` means that
 * the reports of purged nodes that became inactive before this time were removed. `before` is in ISO 8601 and UTC.
 */
export interface Removed {
  readonly kind: 'reports' | 'events' | 'nodes';
  readonly before: string;
}

export const describeRemoved = (removed: readonly Removed[]): string =>
  removed
    .map(({ kind, before }) =>
      kind === 'nodes' ? `reports of nodes inactive before ${before}` : `${kind} before ${before}`,
    )
    .join(', ');

/** Offsets are texts. */
interface PartitionState {
  /** Offset of the first record that the projector has not applied. */
  readonly applied: string;
  /** Offset of the record that was the next record at the moment. Null if the history begins after the moment. */
  readonly next: string | null;
  /** Smallest offset that clients can give in `as_of`. Null if the tables keep no history. */
  readonly start: string | null;
  /** Earliest time that `as_of` can use. An empty text if there is no earliest time. Null if no time is allowed yet. */
  readonly earliest: string | null;
}

interface HistoryState {
  readonly now: string;
  readonly time: string;
  readonly isFuture: boolean;
  readonly partitions: readonly PartitionState[] | null;
}

/** Reads the positions of a moment. Relative times are relative to PostgreSQL's `now()`, as in the query itself. */
const stateStatement = (moment: Moment, { generation, schema }: Generation): Sql => ({
  text: `WITH requested AS (
      SELECT date_trunc('milliseconds', coalesce($1::timestamptz, now() + make_interval(secs => $2::double precision))) AS time)
    SELECT json_build_object('now', ${isoTime('now()')}, 'time', ${isoTime('requested.time')}, 'isFuture', requested.time > now(), 'partitions',
      (SELECT json_agg(json_build_object('applied', p.next_offset::text,
          'next', (SELECT t.next_offset::text FROM ${schema}.history_times t
            WHERE t.log_partition = p.log_partition AND t.at <= requested.time ORDER BY t.at DESC LIMIT 1),
          'start', (SELECT s.next_offset::text FROM ${schema}.history_starts s WHERE s.log_partition = p.log_partition),
          'earliest', (SELECT CASE WHEN isfinite(t.at) THEN ${isoTime('t.at')} ELSE '' END FROM ${schema}.history_times t
            WHERE t.log_partition = p.log_partition ORDER BY t.at LIMIT 1)) ORDER BY p.log_partition)
        FROM nodeledger.positions p WHERE p.generation = $3::bigint))::text AS row
    FROM requested`,
  values: [
    moment.kind === 'relative' ? null : moment.time,
    moment.kind === 'relative' ? moment.seconds : 0,
    String(generation),
  ],
});

/** Reads, for each kind of data, the latest `before` of the age limits that were applied at or after the positions. */
const removedStatement = (positions: string, { schema }: Generation): Sql => ({
  text: `SELECT coalesce(json_agg(json_build_object('kind', r.kind, 'before', ${isoTime('r.before')}) ORDER BY r.ordinal), '[]')::text AS row
    FROM (SELECT v.ordinal, v.kind, max(v.before) AS before FROM ${schema}.history_starts s
      CROSS JOIN LATERAL (VALUES (1, 'reports', s.reports_removed_at, s.reports_removed_before),
        (2, 'events', s.events_removed_at, s.events_removed_before),
        (3, 'nodes', s.nodes_purged_at, s.nodes_purged_before)) v (ordinal, kind, at, before)
      WHERE v.at >= ($1::bigint[])[s.log_partition + 1] GROUP BY v.ordinal, v.kind) r`,
  values: [positions],
});

/**
 * `read` runs a statement in the snapshot of the query. Throws `query.as-of`, `query.as-of-future`, `query.as-of-early`
 * or `query.no-history`.
 */
export async function resolveMoment(
  moment: Moment,
  generation: Generation,
  read: (statement: Sql) => Promise<string | undefined>,
): Promise<ResolvedMoment> {
  const found = await read(stateStatement(moment, generation));
  const state = JSON.parse(found ?? '') as HistoryState;
  if (state.isFuture && moment.kind !== 'positions') {
    throw new Fault(
      'malformed',
      'query.as-of-future',
      `as_of is ${state.time}, which is in the future: it is ${state.now}.`,
    );
  }
  const partitions = state.partitions ?? [];
  if (partitions.some(({ start }) => start === null)) throw noHistory();
  const offsets = moment.kind === 'positions' ? checkOffsets(moment.offsets, partitions) : offsetsAt(state, partitions);
  const positions = arrayLiteral(offsets);
  const removed = await read(removedStatement(positions, generation));
  return {
    positions,
    time: state.time,
    name: `${offsets.join(',')}@${state.time}`,
    offsets,
    removed: JSON.parse(removed ?? '[]') as ResolvedMoment['removed'],
  };
}

const offsetsAt = ({ time }: HistoryState, partitions: readonly PartitionState[]): string[] =>
  partitions.map(({ next }) => {
    if (next === null) throw early(`as_of is ${time}`, partitions);
    return next;
  });

function checkOffsets(offsets: readonly string[], partitions: readonly PartitionState[]): readonly string[] {
  if (offsets.length !== partitions.length) {
    throw new Fault(
      'malformed',
      'query.as-of',
      `as_of has the positions of ${offsets.length} partitions, but the log has ${partitions.length}.`,
    );
  }
  partitions.forEach(({ applied, start }, partition) => {
    const offset = offsets[partition] ?? '';
    if (BigInt(offset) > BigInt(applied)) {
      throw new Fault(
        'malformed',
        'query.as-of-future',
        `as_of has position ${offset} of partition ${partition}, but the tables have only reached ${applied}.`,
        { hint: 'Wait until the projector has applied the records: X-Nodeledger-Wait-For.' },
      );
    }
    if (BigInt(offset) < BigInt(start ?? applied))
      throw early(`as_of has position ${offset} of partition ${partition}`, partitions);
  });
  return offsets;
}

/** Response header with the earliest time that `as_of` can use, for programs. */
export const earliestHeader = 'x-nodeledger-earliest';

class EarlyMoment extends Fault {
  constructor(
    what: string,
    /** ISO 8601, in UTC. Absent if no time is allowed before the next record is applied. */
    readonly earliest: string | undefined,
  ) {
    super(
      'malformed',
      'query.as-of-early',
      earliest === undefined
        ? `${what}, which is before the history: it begins with the next command.`
        : `${what}, which is before the earliest moment that can be asked: ${earliest}.`,
      {
        hint: 'NODELEDGER_HISTORY sets how far the history reaches back.',
        ...(earliest === undefined ? {} : { details: { earliest } }),
      },
    );
  }
}

function early(what: string, partitions: readonly PartitionState[]): Fault {
  const times = partitions.map(({ earliest }) => earliest);
  // If a partition has no time yet, no time is allowed. Otherwise the partition with the shortest history determines
  // the earliest time.
  const known = times.filter((time) => time !== null);
  return new EarlyMoment(what, known.length < times.length ? undefined : known.sort().at(-1));
}

export const earliestOf = (error: unknown): string | undefined =>
  error instanceof EarlyMoment ? error.earliest : undefined;

export const noHistory = (): Fault =>
  new Fault('malformed', 'query.no-history', 'The tables keep no history, so only the present can be asked.', {
    hint: 'NODELEDGER_HISTORY=14d keeps the history of 14 days from then on.',
  });
