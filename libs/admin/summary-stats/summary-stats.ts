import type { Database, Generations } from '#database';
import { Fault } from '#fault';
import { summaryFigures } from './summary-figures';

/** statement_timeout of each statement. */
const statementMs = 20_000;

/** Types that PostgreSQL prints as text although they are numbers. */
const oids: ReadonlySet<string> = new Set(['relid', 'indexrelid', 'datid']);

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/;

/**
 * Statistics of the live tables for operators: the use of tables, indexes and the database since PostgreSQL's statistics
 * began, and distributions of facts, catalogs and reports. Concurrent requests share one answer.
 */
export class SummaryStats {
  private asked: Promise<object> | undefined;

  constructor(
    private readonly db: Database,
    private readonly generations: Generations,
    private readonly reportedVersion: string,
  ) {}

  /** Faults: `admin.no-generation` (busy), `database.timeout`. */
  read(): Promise<object> {
    this.asked ??= this.readNow().finally(() => (this.asked = undefined));
    return this.asked;
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

/** Converts times to the format of the interface, and numbers to JSON numbers. */
function asClientsReadIt(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (oids.has(key)) return Number(value);
  return isTime.test(value) ? new Date(value).toISOString() : value;
}
