/**
 * Runs what one request asks, in one snapshot of the live tables, within its deadline. Whatever the work does with its
 * rows, at the deadline its statement is cancelled, its connection given back and its promise given up. Refuses with
 * faults that say what the query did wrong, what timed out, or that nothing is there to ask yet.
 */
import { Inject, Injectable } from '@nestjs/common';
import { liveTablesOf, liveTablesQuery, type LiveTablesRow } from '#database';
import { noTables, otherForm, tableMissing, timedOut } from './database-error';
import type { Deadline } from './deadline';
import type { Place } from './places';
import { QUERY_OPTIONS, type QueryOptions } from './query-options';
import { Snapshot } from './snapshot';

export interface RunLimits {
  readonly deadline: Deadline;
  readonly place: Place;
  /** Aborts when the client leaves. */
  readonly gone: AbortSignal;
  /** Called with each statement before it is sent to PostgreSQL. */
  readonly asks: (statement: string) => void;
}

@Injectable()
export class QueryRunner {
  constructor(@Inject(QUERY_OPTIONS) private readonly options: QueryOptions) {}

  /**
   * Runs the work a second time if a rebuild drops the tables before the first row. If the same generation lacks a table
   * both times, the statement is wrong, and PostgreSQL's error is thrown as it is.
   */
  async run<T>({ deadline, place, gone, asks }: RunLimits, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return deadline.during([gone, place.lost], async (signal) => {
      let snapshot: Snapshot | undefined;
      const asked = (): string | undefined => snapshot?.schema;
      const attempt = (): Promise<T> => {
        const timeoutMs = deadline.remainingMs();
        if (timeoutMs === 0) throw timedOut(deadline.timeoutMs);
        return this.options.database.reading<LiveTablesRow, T>(
          { opening: liveTablesQuery, signal, timeoutMs },
          (transaction) => {
            const [live] = transaction.opening;
            if (live === undefined) throw noTables();
            const { projectionVersion } = this.options;
            if (live.projectionVersion !== projectionVersion) {
              throw otherForm(live.projectionVersion, projectionVersion);
            }
            snapshot = new Snapshot(liveTablesOf(live), transaction, place.inTurn, asks);
            return work(snapshot);
          },
        );
      };
      try {
        return await attempt();
      } catch (error) {
        if (!tableMissing(error) || snapshot?.answered === true) throw error;
        const first = asked();
        snapshot = undefined;
        return attempt().catch((again: unknown) => {
          const isOurs = asked() !== undefined && asked() === first;
          throw isOurs || !tableMissing(again) ? again : noTables(again);
        });
      }
    });
  }
}
