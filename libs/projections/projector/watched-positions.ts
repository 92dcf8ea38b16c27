import { isRetriable, positionsOf } from '#database';
import { Fault } from '#fault';
import { offsetAfter, type LogRecord } from '#log';
import type { ProjectorOptions } from './projector-options';

const mostStandstills = 3;

/**
 * Compares the positions of a generation with the positions that this projector last saw committed, because PostgreSQL
 * can lose its last commits in a crash.
 */
export class WatchedPositions {
  private readonly reached = new Map<number, number>();
  private readAt = 0;
  private setbackCount = 0;
  private standstill: { readonly at: string; readonly times: number } | undefined;

  constructor(
    private readonly options: Pick<ProjectorOptions, 'db' | 'generation' | 'logId' | 'onPositions'>,
    private readonly onSetback: () => void,
  ) {}

  /** Number of times that a position was lower than before. Each time, PostgreSQL has lost commits. */
  get setbacks(): number {
    return this.setbackCount;
  }

  /** Throws `projections.foreign-log` or `database.retired`. */
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

  /** Does nothing if the positions were read less than `ms` milliseconds ago. Ignores retriable errors. */
  async refreshAfter(ms: number): Promise<void> {
    if (performance.now() - this.readAt < ms) return;
    this.readAt = performance.now();
    try {
      await this.read();
    } catch (error) {
      // A retriable error is ignored here, because the next batch fails with the same error, waits, and reports it.
      if (!isRetriable(error)) throw error;
    }
  }

  /** Must be called with the records of each committed batch. */
  moved(records: readonly LogRecord[]): void {
    for (const record of records) this.reached.set(record.partition, offsetAfter(record));
    this.standstill = undefined;
  }

  /**
   * Must be called when a batch has failed with `database.fenced`. If this happens repeatedly and the positions do not
   * change, the cause is a missing record in the log, and not another projector. In this case, throws
   * `projections.no-such-place`.
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
