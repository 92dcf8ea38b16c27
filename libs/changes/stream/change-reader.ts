/**
 * Reads changes in the order of the log. Each read uses one snapshot of the tables, and returns only changes before the
 * positions in this snapshot. Each partition has its own position, so the reader never skips a batch that commits
 * later.
 */
import { type Database, databaseErrorCode, type Session } from '#database';
import { key64 } from '#projections';
import { type Moment, resolveMoment } from '#query';
import { entriesOf, type RowSource } from '../timeline/entries-of';
import type { TimelineKey } from '../timeline/timeline-entry';
import type { Change, ChangeRow } from './change';
import { readChangeRows } from './change-rows';
import { ChangesGone, placeByTime, readHistory } from './history-state';
import { type LiveTables, readLiveTables } from './live-tables';
import type { StreamPosition } from './stream-position';

export interface ChangeGroup {
  readonly changes: readonly Change[];
  readonly position: StreamPosition;
  /** The id of the log. The member `source` of each event contains this id. */
  readonly logId: string;
  /** True if no later changes were applied when the group was read. */
  readonly isLast: boolean;
}

export interface ReadChanges {
  /** A group can have more changes than this number, because all changes from a record are read together. */
  readonly limit: number;
  /**
   * Returns whether the caller needs the entry of a row. The reader skips the rows for which this function returns
   * false.
   */
  readonly isWanted?: (row: ChangeRow) => boolean;
}

/** Milliseconds between two polls. The reader polls, because notifications get lost while the connection is broken. */
const pollEveryMs = 1_000;
const vanishedCodes = ['42P01', '3F000'];

export class ChangeReader {
  private readonly handlers = new Set<() => void>();
  private unlisten: (() => Promise<void>) | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly db: Database) {}

  /** Must be awaited before other methods are called. */
  async open(): Promise<void> {
    this.unlisten = await this.db.listen('nodeledger_applied', () => this.wake());
  }

  async close(): Promise<void> {
    this.handlers.clear();
    clearInterval(this.timer);
    await this.unlisten?.();
  }

  /** Calls `handler` when there may be new changes. Returns a function that removes the handler. */
  onApplied(handler: () => void): () => void {
    this.handlers.add(handler);
    this.timer ??= setInterval(() => this.wake(), pollEveryMs).unref();
    return () => {
      this.handlers.delete(handler);
      if (this.handlers.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  /**
   * Returns the position after all applied records. Throws `query.no-history`, `query.no-tables` or `query.other-form`.
   */
  present(): Promise<StreamPosition> {
    return this.inTables(async (session, { schema, log, applied }) => {
      const history = await readHistory(session, schema);
      return { log, offsets: applied, times: history.map(({ latest }) => latest ?? -Infinity) };
    });
  }

  /**
   * Returns the position at a moment. Throws faults whose codes begin with `query.as-of`, and the faults of `present`.
   */
  at(moment: Moment): Promise<StreamPosition> {
    return this.inTables(async (session, tables) => {
      const source = rowSource(session);
      const { offsets, time } = await resolveMoment(moment, tables, (statement) => source.one(statement));
      return { log: tables.log, offsets: offsets.map(Number), times: offsets.map(() => Date.parse(time)) };
    });
  }

  /**
   * Reads the changes after a position. If the position belongs to another log, for example after `log copy`, continues
   * at the time of the position, and may return some changes twice. Throws `changes.gone` (410) if the history no
   * longer contains the changes after the position, and the faults of `present`.
   */
  readAfter(position: StreamPosition, { limit, isWanted = () => true }: ReadChanges): Promise<ChangeGroup> {
    return this.inTables(async (session, tables) => {
      const { schema, log, logId, applied } = tables;
      const from = position.log === log ? position : await placeByTime(session, schema, position, log);
      // After a crash, PostgreSQL may have lost the last batches. In this case, `from` can be after the applied records
      // until the projector has applied the lost batches again, at the same offsets.
      const extents = applied.flatMap((to, partition) => {
        const since = from.offsets[partition] ?? 0;
        return since < to ? [{ partition, from: since, to }] : [];
      });
      if (extents.length === 0) return { changes: [], position: from, logId, isLast: true };
      const history = await readHistory(session, schema);
      const startOf = (partition: number): number => history[partition]?.start ?? applied[partition] ?? 0;
      if (extents.some((extent) => extent.from < startOf(extent.partition))) {
        const known = from.offsets.map((offset, partition) => Math.max(offset, startOf(partition)));
        throw new ChangesGone(history, { ...from, offsets: known });
      }
      const { rows, reached } = await readChangeRows(session, schema, extents, limit);
      const changes = await this.changesOf(session, schema, rows.filter(isWanted));
      const offsets = [...from.offsets];
      const times = [...from.times];
      extents.forEach(({ partition, to }, at) => {
        offsets[partition] = reached[at] as number;
        const received = rows
          .filter((row) => row.position.partition === partition)
          .map((row) => Date.parse(row.receivedAt));
        const isWhole = reached[at] === to;
        times[partition] = Math.max(
          ...(isWhole ? [history[partition]?.latest ?? -Infinity] : []),
          ...received,
          times[partition] ?? -Infinity,
        );
      });
      return {
        changes,
        position: { log, offsets, times },
        logId,
        isLast: extents.every(({ to }, at) => reached[at] === to),
      };
    });
  }

  private async changesOf(session: Session, schema: string, rows: readonly ChangeRow[]): Promise<readonly Change[]> {
    const keys = rows.flatMap(({ kind, node, position: { offset } }): TimelineKey[] =>
      kind === 'node.deleted' ? [] : [{ node, offset: String(offset), kind }],
    );
    const entries = keys.length === 0 ? [] : await entriesOf(rowSource(session), schema, keys);
    const nameOf = (node: string, offset: number, kind: string): string => `${node} ${offset} ${kind}`;
    const found = new Map(
      entries.map((entry) => [nameOf(key64(entry.certname), entry.position.offset, entry.kind), entry]),
    );
    return rows.flatMap((row) => {
      if (row.kind === 'node.deleted') return [deletion(row)];
      return found.get(nameOf(row.node, row.position.offset, row.kind)) ?? [];
    });
  }

  /**
   * Runs work in one snapshot of the live tables. Repeats the work if the tables were deleted during the work. In this
   * case, the next attempt uses the new live tables.
   */
  private async inTables<T>(work: (session: Session, tables: LiveTables) => Promise<T>): Promise<T> {
    const attempt = (): Promise<T> =>
      this.db.transaction(async (session) => {
        await session.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY', values: [] });
        return work(session, await readLiveTables(session));
      });
    return attempt().catch((error: unknown) => {
      if (!vanishedCodes.includes(databaseErrorCode(error) ?? '')) throw error;
      return attempt();
    });
  }

  private wake(): void {
    for (const handler of this.handlers) handler();
  }
}

const rowSource = (session: Session): RowSource => ({
  one: async (statement) => (await session.query<{ row: string }>(statement))[0]?.row,
});

function deletion({ uuid, certname, receivedAt, position }: ChangeRow): Change {
  const kind = 'node.deleted';
  const id = `${uuid}/${kind}`;
  const json = JSON.stringify({ id, certname, kind, received_at: receivedAt, position });
  return { id, certname: certname as string, kind, environment: null, receivedAt, position, json };
}
