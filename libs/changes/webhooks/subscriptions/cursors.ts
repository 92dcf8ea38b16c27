/**
 * The table `nodeledger.subscription_cursors` contains the position up to which each subscription's changes are
 * delivered.
 */
import { arrayLiteral, type Database, type Session, statement } from '#database';
import type { StreamPosition } from '../../stream/stream-position';
import type { Subscription } from './subscription';

/** Identifies one version of a subscription. Each change by an administrator raises the revision. */
export type Revision = Pick<Subscription, 'id' | 'revision'>;

interface Row {
  readonly log: string;
  readonly offset: number;
  /** Milliseconds since 1970. Null if the partition has never had a record. */
  readonly time: number | null;
}

/** Replaces the cursors of a subscription. If `back` is false, moves no cursor to an earlier offset of the same log. */
export async function writeCursors(
  session: Pick<Session, 'query'>,
  { id, revision }: Revision,
  { log, offsets, times }: StreamPosition,
  { back }: { readonly back: boolean },
): Promise<void> {
  await session.query(statement`
    DELETE FROM nodeledger.subscription_cursors WHERE subscription = ${id}::uuid AND log_partition >= ${offsets.length}`);
  await session.query(statement`
    INSERT INTO nodeledger.subscription_cursors AS c (subscription, log_partition, log, next_offset, passed_at, revision)
    SELECT ${id}::uuid, p.ordinal - 1, ${log}, p.next_offset,
      coalesce(to_timestamp(p.ms / 1000), '-infinity'), ${revision}::bigint
    FROM unnest(${arrayLiteral(offsets)}::bigint[], ${timesLiteral(times)}::float8[]) WITH ORDINALITY
      AS p (next_offset, ms, ordinal)
    ON CONFLICT (subscription, log_partition) DO UPDATE
      SET log = excluded.log, revision = excluded.revision,
        next_offset = CASE WHEN ${back} OR c.log <> excluded.log THEN excluded.next_offset
          ELSE greatest(c.next_offset, excluded.next_offset) END,
        passed_at = CASE WHEN ${back} OR c.log <> excluded.log THEN excluded.passed_at
          ELSE greatest(c.passed_at, excluded.passed_at) END`);
}

const timesLiteral = (times: readonly number[]): string =>
  `{${times.map((time) => (Number.isFinite(time) ? String(time) : 'NULL')).join(',')}}`;

export class Cursors {
  constructor(
    private readonly db: Database,
    private readonly subscription: Revision,
  ) {}

  /** Returns the position of the subscription, or undefined if the subscription was changed or removed. */
  async read(): Promise<StreamPosition | undefined> {
    const { id, revision } = this.subscription;
    const rows = await this.db.query<Row>(statement`
      SELECT log, next_offset AS "offset",
        CASE WHEN isfinite(passed_at) THEN extract(epoch FROM passed_at)::float8 * 1000 END AS time
      FROM nodeledger.subscription_cursors WHERE subscription = ${id}::uuid AND revision = ${revision}::bigint
      ORDER BY log_partition`);
    const [first] = rows;
    if (first === undefined) return undefined;
    return {
      log: first.log,
      offsets: rows.map(({ offset }) => offset),
      times: rows.map(({ time }) => time ?? -Infinity),
    };
  }

  /**
   * Moves the cursors to a position, but never back, because two processes can deliver for a moment. If the
   * subscription was changed or removed, writes nothing and returns false.
   */
  save(position: StreamPosition): Promise<boolean> {
    const { id, revision } = this.subscription;
    return this.db.transaction(async (session) => {
      // Locks the subscription before the cursors, because changes by administrators lock in this order.
      const held = await session.query(statement`
        SELECT FROM nodeledger.subscriptions WHERE id = ${id}::uuid AND revision = ${revision}::bigint FOR KEY SHARE`);
      if (held.length === 0) return false;
      await writeCursors(session, this.subscription, position, { back: false });
      return true;
    });
  }
}
