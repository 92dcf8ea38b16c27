import type { Generation, ReadTransaction, Sql } from '#database';
import type { Moment } from '../moment/moment';
import { type ResolvedMoment, resolveMoment } from '../moment/resolve-moment';
import { placed } from '../sql/fragment';
import type { Place } from './places';

/** One state of the live tables. All statements of one request read this state. */
export class Snapshot {
  /** True once a row has come: the tables cannot vanish any more. */
  answered = false;
  private moment: ResolvedMoment | undefined;

  constructor(
    private readonly tables: Generation,
    /** Rejects if these are not the live tables. */
    private readonly live: Promise<Generation>,
    private readonly transaction: ReadTransaction<unknown>,
    /** Runs what makes PostgreSQL work when it is this query's turn. */
    private readonly inTurn: Place['inTurn'],
    /** Called with each statement before it is sent to PostgreSQL. */
    private readonly asks: (statement: string) => void,
  ) {}

  get schema(): string {
    return this.tables.schema;
  }

  /**
   * From now on, the statements read the tables as of the moment. Faults: those of `resolveMoment`. The tables can still
   * vanish afterwards, because other tables than those of the statements have answered.
   */
  async goBack(moment: Moment): Promise<ResolvedMoment> {
    this.moment = await resolveMoment(moment, await this.live, (sql) => {
      this.asks(sql.text);
      return this.inTurn(() => this.transaction.one(sql));
    });
    return this.moment;
  }

  get isPast(): boolean {
    return this.moment !== undefined;
  }

  /** The statement's one text column `row`, in chunks cut by bytes; nothing is asked before the first `next`. */
  async *rows(statement: Sql): AsyncGenerator<string[], void, undefined> {
    const sql = placed(statement, this.schema, this.moment);
    this.asks(sql.text);
    const chunks = this.transaction.rows(sql);
    try {
      for (;;) {
        const next = await this.inTurn(() => this.confirmed(chunks.next()));
        if (next.done === true) return;
        this.answered = true;
        yield next.value;
      }
    } finally {
      await chunks.return();
    }
  }

  /** The first row of a statement that gives few. */
  async one(statement: Sql): Promise<string | undefined> {
    const sql = placed(statement, this.schema, this.moment);
    this.asks(sql.text);
    const row = await this.inTurn(() => this.confirmed(this.transaction.one(sql)));
    if (row !== undefined) this.answered = true;
    return row;
  }

  /** What is read, once it is certain that the tables are live. Other tables may be gone: their errors mean nothing. */
  private async confirmed<T>(reading: Promise<T>): Promise<T> {
    reading.catch(() => undefined);
    await this.live;
    return reading;
  }

  /** Gives the connection back: nothing more is asked, although the answer may still be on its way. */
  end(): void {
    void this.transaction.end();
  }
}
