import type { Generation, ReadTransaction, Sql } from '#database';
import type { Moment } from '../moment/moment';
import { type ResolvedMoment, resolveMoment } from '../moment/resolve-moment';
import { placed } from '../sql/fragment';
import type { Permit } from './permits';

/** One state of the live tables, which all statements of a request read. */
export class Snapshot {
  /** True after the first row has arrived. From then on, the tables cannot be deleted. */
  answered = false;
  private moment: ResolvedMoment | undefined;

  constructor(
    private readonly tables: Generation,
    /** A promise that rejects if `tables` is not the live generation. */
    private readonly live: Promise<Generation>,
    private readonly transaction: ReadTransaction<unknown>,
    /** Waits for the slot of the query, then runs a function that uses PostgreSQL. */
    private readonly inSlot: Permit['inSlot'],
    /** Called with each statement before it is sent to PostgreSQL. */
    private readonly onStatement: (statement: string) => void,
  ) {}

  get schema(): string {
    return this.tables.schema;
  }

  /**
   * Makes all following statements read the tables as they were at the moment. Throws the faults of `resolveMoment`.
   * Does not set `answered`, because it reads other tables. The tables of the following statements can still be
   * deleted.
   */
  async goBack(moment: Moment): Promise<ResolvedMoment> {
    this.moment = await resolveMoment(moment, await this.live, (sql) => {
      this.onStatement(sql.text);
      return this.inSlot(() => this.transaction.one(sql));
    });
    return this.moment;
  }

  get isPast(): boolean {
    return this.moment !== undefined;
  }

  /**
   * Yields the text column `row` of a statement in chunks with a limited number of bytes. Sends nothing before the
   * first `next`.
   */
  async *rows(statement: Sql): AsyncGenerator<string[], void, undefined> {
    const sql = placed(statement, this.schema, this.moment);
    this.onStatement(sql.text);
    const chunks = this.transaction.rows(sql);
    try {
      for (;;) {
        const next = await this.inSlot(() => this.confirmed(chunks.next()));
        if (next.done === true) return;
        this.answered = true;
        yield next.value;
      }
    } finally {
      await chunks.return();
    }
  }

  /** Returns the first row of a statement that has few rows, or undefined if it has none. */
  async one(statement: Sql): Promise<string | undefined> {
    const sql = placed(statement, this.schema, this.moment);
    this.onStatement(sql.text);
    const row = await this.inSlot(() => this.confirmed(this.transaction.one(sql)));
    if (row !== undefined) this.answered = true;
    return row;
  }

  /**
   * Returns the result of `reading` after the check `live` has confirmed that the tables are live. If the check fails,
   * throws the error of the check. An error of `reading` is then ignored, because the tables may have been deleted.
   */
  private async confirmed<T>(reading: Promise<T>): Promise<T> {
    reading.catch(() => undefined);
    await this.live;
    return reading;
  }

  /** Releases the connection after the last statement, possibly before the answer is sent. */
  end(): void {
    void this.transaction.end();
  }
}
