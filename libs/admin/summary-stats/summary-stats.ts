import type { Database, Generations } from '#database';
import { Fault } from '#fault';
import { summaryFigures } from './summary-figures';

const statementMs = 20_000;

/** Columns with object ids. PostgreSQL prints them as text, but clients expect numbers. */
const oids: ReadonlySet<string> = new Set(['relid', 'indexrelid', 'datid']);

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/;

/** Concurrent requests share one answer, because the statements take long. */
export class SummaryStats {
  private reading: Promise<object> | undefined;

  constructor(
    private readonly db: Database,
    private readonly generations: Generations,
    private readonly reportedVersion: string,
  ) {}

  /** Throws `admin.no-generation` if there are no read tables, and `database.timeout` if a statement takes too long. */
  read(): Promise<object> {
    this.reading ??= this.readNow().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readNow(): Promise<object> {
    const live = await this.generations.live();
    if (live === undefined) throw new Fault('busy', 'admin.no-generation', 'There are no read tables yet.');
    return this.db.transaction(async (session) => {
      await session.query({
        text: `SET TRANSACTION READ ONLY; SET LOCAL statement_timeout = ${statementMs}`,
        values: [],
      });
      const found: Record<string, unknown> = {};
      for (const [name, text] of Object.entries(summaryFigures)) {
        const rows = await session.query<{ row: string }>({
          text: `SELECT row_to_json(figures)::text AS row FROM (${text.replaceAll('{schema}', live.schema)}) AS figures`,
          values: [],
        });
        found[name] = rows.map(({ row }) => JSON.parse(row, asClientsReadIt) as unknown);
      }
      return { ...found, version: this.reportedVersion };
    });
  }
}

function asClientsReadIt(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (oids.has(key)) return Number(value);
  return isTime.test(value) ? new Date(value).toISOString() : value;
}
