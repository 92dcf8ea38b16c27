/**
 * Runs what one request asks, in one snapshot of the live tables, within its deadline. Whatever the work does with its
 * rows, at the deadline its statement is cancelled, its connection given back and its promise given up. Refuses with
 * faults that say what the query did wrong, what timed out, or that nothing is there to ask yet.
 */
import { Inject, Injectable } from '@nestjs/common';
import { type Generation, liveTablesQuery } from '#database';
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

/** Other tables have become live since the last query. */
class TablesReplaced extends Error {}

@Injectable()
export class QueryRunner {
  /** What was live at the last query. A query is sent to these tables together with the question which are live. */
  private expected: Generation | undefined;

  constructor(@Inject(QUERY_OPTIONS) private readonly options: QueryOptions) {}

  /**
   * Runs the work a second time if other tables become live before the first row. If the same generation lacks a table
   * both times, the statement is wrong, and PostgreSQL's error is thrown as it is.
   */
  async run<T>({ deadline, place, gone, asks }: RunLimits, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return deadline.during([gone, place.lost], async (signal) => {
      let snapshot: Snapshot | undefined;
      const attempt = (expected: Generation | undefined): Promise<T> => {
        const timeoutMs = deadline.remainingMs();
        if (timeoutMs === 0) throw timedOut(deadline.timeoutMs);
        return this.options.database.reading<Generation, T>(
          { opening: liveTablesQuery, signal, timeoutMs },
          async (transaction) => {
            const live = transaction.opening().then((rows) => this.liveOf(rows, expected));
            const tables = expected ?? (await live);
            snapshot = new Snapshot(tables, live, transaction, place.inTurn, asks);
            const [result] = await Promise.all([work(snapshot), live]);
            return result;
          },
        );
      };
      const asked = (): Snapshot | undefined => snapshot;
      /** `missingIn`: the schema that lacked a table at the attempt before. */
      const ask = async (expected: Generation | undefined, missingIn?: string): Promise<T> => {
        snapshot = undefined;
        try {
          return await attempt(expected);
        } catch (error) {
          if (asked()?.answered === true) throw error;
          // The expectation was wrong, which is not an attempt.
          if (error instanceof TablesReplaced) return ask(undefined, missingIn);
          if (!tableMissing(error)) throw error;
          const schema = asked()?.schema;
          if (missingIn === undefined) return ask(undefined, schema ?? '');
          throw schema === missingIn ? error : noTables(error);
        }
      };
      return ask(this.expected);
    });
  }

  /** The live tables. Throws TablesReplaced if they are not the expected ones. */
  private liveOf([live]: readonly Generation[], expected: Generation | undefined): Generation {
    this.expected = undefined;
    if (live === undefined) throw noTables();
    const { projectionVersion } = this.options;
    if (live.projectionVersion !== projectionVersion) throw otherForm(live.projectionVersion, projectionVersion);
    this.expected = live;
    const isExpected = expected?.generation === live.generation && expected.schema === live.schema;
    if (expected !== undefined && !isExpected) throw new TablesReplaced();
    return this.expected;
  }
}
