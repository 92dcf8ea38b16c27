import type { Database } from '#database';

const dayMs = 86_400_000;
/** More partitions than this make planning slow; events of further days lie in the overflow, where they are as right. */
const mostDays = 400;

/**
 * The day partitions of `resource_events`. A day gets its partition before the batch that needs it, in a transaction of
 * its own: ATTACH takes a lock that readers of the parent do not notice.
 */
export class EventDays {
  private days: Set<number> | undefined;

  constructor(
    private readonly db: Database,
    private readonly schema: string,
  ) {}

  /** The partition key for each of the days, creating partitions that are missing. Days: since 1970, of the report's time. */
  async ensure(days: ReadonlySet<number>): Promise<(day: number) => number> {
    this.days ??= await this.load();
    for (const day of [...days].sort((a, b) => a - b)) {
      if (day <= 0 || this.days.has(day) || this.days.size > mostDays) continue;
      await this.create(day);
    }
    const known = this.days;
    return (day) => (known.has(day) ? day : 0);
  }

  private async load(): Promise<Set<number>> {
    const rows = await this.db.query<{ day: number }>({
      text: `SELECT substring(c.relname from '^resource_events_([0-9]+)$')::int AS day
             FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
             WHERE i.inhparent = $1::regclass AND c.relname ~ '^resource_events_[0-9]+$'`,
      values: [`${this.schema}.resource_events`],
    });
    return new Set(rows.map((row) => row.day));
  }

  private async create(day: number): Promise<void> {
    const parent = `${this.schema}.resource_events`;
    const partition = `${parent}_${day}`;
    await this.db.transaction(async (session) => {
      await session.query({
        text: `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`,
        values: [`nodeledger days of ${this.schema}`],
      });
      this.days = await this.load();
      if (this.days.has(day)) return;
      await session.query({ text: `CREATE TABLE ${partition} (LIKE ${parent} INCLUDING DEFAULTS)`, values: [] });
      await session.query({
        text: `ALTER TABLE ${parent} ATTACH PARTITION ${partition} FOR VALUES IN (${day})`,
        values: [],
      });
    });
    (this.days as Set<number>).add(day);
  }
}

/** Days since 1970 of an ISO time. */
export const dayOf = (time: string): number => Math.floor(Date.parse(time) / dayMs);
