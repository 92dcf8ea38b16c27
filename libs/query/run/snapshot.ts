import type { Generation, ReadTransaction, Sql } from '#database';
import type { Moment } from '../moment/moment';
import { type ResolvedMoment, resolveMoment } from '../moment/resolve-moment';
import { placed } from '../sql/fragment';
import type { Permit } from './permits';

/** One state of the live tables, which all statements of a request read. */
export class Snapshot {
  /** True after the first row has arrived. After this row, the tables cannot be deleted. */
  answered = false;
  private moment: ResolvedMoment | undefined;

  constructor(
    private readonly tables: Generation,
    /** Rejects if `tables` is not the live generation. */
    private readonly live: Promise<Generation>,
    private readonly transaction: ReadTransaction<unknown>,
    private readonly inSlot: Permit['inSlot'],
    private readonly onStatement: (statement: string) => void,
  ) {}

  get schema(): string {
    return this.tables.schema;
  }

  /**
   * Makes all following statements read the tables as they were at the moment. Throws the faults of `resolveMoment`.
   * Does not set `answered`: the tables of the following statements can still be deleted.
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
   * Yields the text column `row` in chunks with a limited number of bytes. The statement is not sent to the database
   * until the first call of `next`.
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

  /** Returns the first row of a statement that has few rows. */
  async one(statement: Sql): Promise<string | undefined> {
    const sql = placed(statement, this.schema, this.moment);
    this.onStatement(sql.text);
    const row = await this.inSlot(() => this.confirmed(this.transaction.one(sql)));
    if (row !== undefined) this.answered = true;
    return row;
  }

  /**
   * Returns the result of `reading` after `live` has confirmed that the tables are live. If `live` rejects, throws its
   * error and ignores errors of `reading`, because the tables may have been deleted.
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
