/** Runs the statements of one request in one snapshot of the live tables. */
import { Inject, Injectable } from '@nestjs/common';
import { type Generation, liveTablesQuery } from '#database';
import { noTables, otherSchemaVersion, tableMissing, timedOut } from './database-error';
import type { Deadline } from './deadline';
import type { Permit } from './permits';
import { QUERY_OPTIONS, type QueryOptions } from './query-options';
import { Snapshot } from './snapshot';

export interface RunLimits {
  readonly deadline: Deadline;
  readonly permit: Permit;
  readonly gone: AbortSignal;
  readonly onStatement: (statement: string) => void;
}

/** Thrown if the live generation has changed since the last query. */
class TablesReplaced extends Error {}

@Injectable()
export class QueryRunner {
  /**
   * The live generation at the last query. The next query assumes that this generation is still live, and is sent
   * together with the statement that reads the live generation. This saves a round trip.
   */
  private expected: Generation | undefined;

  constructor(@Inject(QUERY_OPTIONS) private readonly options: QueryOptions) {}

  /**
   * If another generation becomes live before the first row, runs `work` a second time. If the same generation lacks a
   * table in both runs, the statement is wrong, and PostgreSQL's error is thrown unchanged. At the deadline, cancels
   * the statement, releases the connection and rejects, even if `work` has not ended.
   */
  async run<T>(
    { deadline, permit, gone, onStatement }: RunLimits,
    work: (snapshot: Snapshot) => Promise<T>,
  ): Promise<T> {
    return deadline.during([gone, permit.lost], async (signal) => {
      let snapshot: Snapshot | undefined;
      const attempt = (expected: Generation | undefined): Promise<T> => {
        const timeoutMs = deadline.remainingMs();
        if (timeoutMs === 0) throw timedOut(deadline.timeoutMs);
        return this.options.database.reading<Generation, T>(
          { opening: liveTablesQuery, signal, timeoutMs },
          async (transaction) => {
            const live = transaction.opening().then((rows) => this.liveOf(rows, expected));
            const tables = expected ?? (await live);
            snapshot = new Snapshot(tables, live, transaction, permit.inSlot, onStatement);
            const [result] = await Promise.all([work(snapshot), live]);
            return result;
          },
        );
      };
      const current = (): Snapshot | undefined => snapshot;
      /** `missingIn` is the schema that lacked a table in the previous attempt. */
      const ask = async (expected: Generation | undefined, missingIn?: string): Promise<T> => {
        snapshot = undefined;
        try {
          return await attempt(expected);
        } catch (error) {
          if (current()?.answered === true) throw error;
          // A retry with the live generation does not count as the second run.
          if (error instanceof TablesReplaced) return ask(undefined, missingIn);
          if (!tableMissing(error)) throw error;
          const schema = current()?.schema;
          if (missingIn === undefined) return ask(undefined, schema ?? '');
          throw schema === missingIn ? error : noTables(error);
        }
      };
      return ask(this.expected);
    });
  }

  /** Throws TablesReplaced if the live generation is not the expected generation. */
  private liveOf([live]: readonly Generation[], expected: Generation | undefined): Generation {
    this.expected = undefined;
    if (live === undefined) throw noTables();
    const { projectionVersion } = this.options;
    if (live.projectionVersion !== projectionVersion)
      throw otherSchemaVersion(live.projectionVersion, projectionVersion);
    this.expected = live;
    const isExpected = expected?.generation === live.generation && expected.schema === live.schema;
    if (expected !== undefined && !isExpected) throw new TablesReplaced();
    return this.expected;
  }
}
