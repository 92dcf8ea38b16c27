import { Counter, MeterSet, Timer } from '#metrics';
import type { QueryRecord } from '#query';

export class QueryMeters {
  readonly times = new MeterSet(['route'], () => new Timer());
  readonly rows = new MeterSet(['route'], () => new Counter());
  readonly failures = new MeterSet(['code'], () => new Counter());

  /** Keeps no part of the query's text. */
  answered({ route, ms, rows, failure }: QueryRecord): void {
    this.times.of(route).record(ms);
    this.rows.of(route).add(rows);
    if (failure !== undefined) this.failures.of(failure).add();
  }
}
