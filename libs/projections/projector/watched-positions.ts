import { isRetriable, positionsOf } from '#database';
import { Fault } from '#fault';
import { offsetAfter, type LogRecord } from '#log';
import type { ProjectorOptions } from './projector-options';

/** How many times in a row a batch may be fenced although the positions have not moved. */
const mostStandstills = 3;

/**
 * Compares the positions of a generation with those that this projector last saw committed. PostgreSQL may lose its last
 * commits in a crash without notice, so the projector reads the positions again from time to time.
 */
export class WatchedPositions {
  /** The last position that was seen committed, for each partition. */
  private readonly reached = new Map<number, number>();
  private readAt = 0;
  private setbackCount = 0;
  private standstill: { readonly at: string; readonly times: number } | undefined;

  constructor(
    private readonly options: Pick<ProjectorOptions, 'db' | 'generation' | 'logId' | 'onPositions'>,
    /** Called when the database has lost commits. */
    private readonly onSetback: () => void,
  ) {}

  /** How often a position was lower than before, which means that the database has lost commits. */
  get setbacks(): number {
    return this.setbackCount;
  }

  /**
   * Returns the next offset to apply in each partition. Faults: `projections.foreign-log` (broken), `database.retired`
   * (conflict).
   */
  async read(): Promise<Map<number, number>> {
    const { db, generation, logId } = this.options;
    const found = new Map<number, number>();
    for (const [partition, { logId: theirs, nextOffset }] of await positionsOf(db, generation.generation)) {
      if (theirs !== logId) {
        throw new Fault('broken', 'projections.foreign-log', `the read tables belong to log ${theirs}, not ${logId}`);
      }
      found.set(partition, nextOffset);
    }
    if (found.size === 0) {
      throw new Fault('conflict', 'database.retired', `generation ${generation.generation} of the read tables is gone`);
    }
    this.readAt = performance.now();
    if ([...found].some(([partition, offset]) => offset < (this.reached.get(partition) ?? offset))) {
      this.setbackCount += 1;
      this.onSetback();
    }
    for (const [partition, offset] of found) this.reached.set(partition, offset);
    this.options.onPositions?.(found);
    return found;
  }

  /** Reads the positions again if they were not read for `ms`. Ignores a database that does not answer. */
  async refreshAfter(ms: number): Promise<void> {
    if (performance.now() - this.readAt < ms) return;
    this.readAt = performance.now();
    try {
      await this.read();
    } catch (error) {
      // The next batch fails in the same way. It waits and reports the trouble.
      if (!isRetriable(error)) throw error;
    }
  }

  /** These records are committed. */
  moved(records: readonly LogRecord[]): void {
    for (const record of records) this.reached.set(record.partition, offsetAfter(record));
    this.standstill = undefined;
  }

  /**
   * To be called when a batch was fenced. If that happens repeatedly while the positions stay the same, no other projector
   * is the cause: the log has no record at that position. Then it throws Fault `projections.no-such-place` (broken).
   */
  async refuseStandstill(cause: unknown): Promise<void> {
    const at = [...(await this.read())].map((position) => position.join('-')).join(' ');
    const last = this.standstill;
    this.standstill = { at, times: last?.at === at ? last.times + 1 : 1 };
    if (this.standstill.times <= mostStandstills) return;
    const { schema } = this.options.generation;
    throw new Fault(
      'broken',
      'projections.no-such-place',
      `the log has no record at the position of the read tables (${schema})`,
      {
        hint: 'They are older than what the log still holds. Rebuild them: nodeledger rebuild.',
        details: { positions: at },
        cause,
      },
    );
  }
}
