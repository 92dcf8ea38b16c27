import { setTimeout as delay } from 'node:timers/promises';
import { All, Controller, Get, Module } from '@nestjs/common';
import { AdminModule, ClockGuard } from '#admin';
import { CommandsModule, Completions, IntakeLimits } from '#commands';
import { Database, Generations, PositionWaits } from '#database';
import { openHttp } from '#http';
import { defaultLimits } from '#limits';
import { projectionVersion } from '#projections';
import { Permits, QueryModule, type QueryOptions } from '#query';
import { usualAgeLimits } from '../../support/age-limits';
import { factset } from '../../support/documents';
import { ProjectionBench } from '../../support/projection';

@Controller('probe')
class Probe {
  @Get('broken')
  fail(): void {
    throw new Error('nobody expected this');
  }

  @All('body')
  body(): string {
    return 'read';
  }
}

@Module({ controllers: [Probe] })
export class ProbeModule {}

@Module({})
class LittleModule {}

interface Over {
  readonly queries?: Partial<QueryOptions>;
  /** Other tables than those of the bench. */
  readonly connectionString?: string;
}

interface Served {
  readonly url: string;
  close(): Promise<void>;
}

const limits = { ...defaultLimits, queryDepth: 20, documentDepth: 10 };

/** The routes of the service with a log in memory and a projector. docs/errors.md takes its examples from it. */
export class LittleService {
  /** Milliseconds that are added to the clock of the process. */
  clockAheadMs = 0;
  readonly permits = new Permits({ total: 3, perAddress: 2, active: 2 });
  private readonly stop = new AbortController();
  private projecting: Promise<void> | undefined;
  private readonly lookUps: Database;
  private readonly waits: PositionWaits;
  readonly completions: Completions;
  private served!: Served;

  private constructor(readonly bench: ProjectionBench) {
    const { connectionString } = bench;
    this.lookUps = new Database({ connectionString, max: 2, readOnly: true });
    this.waits = new PositionWaits(this.lookUps);
    this.completions = new Completions(bench.db);
  }

  static async open(): Promise<LittleService> {
    const bench = await ProjectionBench.open(1);
    const service = new LittleService(bench);
    await service.waits.open();
    await service.completions.open();
    await bench.submit('replace facts', 'web1', { payload: factset('web1', { kernel: 'Linux', processors: 4 }) });
    await bench.settle();
    service.projecting = bench.projector({ limits }).run(service.stop.signal);
    service.served = await service.serve();
    return service;
  }

  get url(): string {
    return this.served.url;
  }

  /** Serves the routes once more, with changed parts. */
  async serve({ queries, connectionString = this.bench.connectionString }: Over = {}): Promise<Served> {
    const { bench, completions } = this;
    const readers = new Database({ connectionString, max: 3, readOnly: true });
    const own = connectionString === bench.connectionString ? undefined : new Database({ connectionString, max: 2 });
    const writers = own ?? bench.db;
    const module = {
      module: LittleModule,
      imports: [
        ProbeModule,
        QueryModule.register({
          database: readers,
          permits: this.permits,
          projectionVersion,
          waits: this.waits,
          waitTimeoutMs: 1_000,
          edition: 'full',
          dialect: 'neutral',
          timeoutMs: 60_000,
          limits,
          ...queries,
        }),
        CommandsModule.register({
          log: bench.log,
          completions,
          limits: new IntakeLimits(20_000, limits),
          checksums: { policy: 'refuse' },
        }),
        AdminModule.register({
          database: writers,
          generations: new Generations(writers),
          log: bench.log,
          completions,
          limits: usualAgeLimits,
          clocks: new ClockGuard(bench.db, { now: () => Date.now() + this.clockAheadMs }),
          reportedVersion: '0.0.0',
        }),
      ],
    };
    const server = await openHttp(module, {
      listeners: [{ host: '127.0.0.1', port: 0 }],
      maxBodyBytes: 40_000,
      limits,
      graceMs: 100,
    });
    return {
      url: server.urls[0] ?? '',
      async close() {
        await server.close();
        await readers.close();
        await own?.close();
      },
    };
  }

  /**
   * Runs `work` while the table is locked. `work` gets a function that resolves when this many statements wait for the
   * lock.
   */
  async whileLocked<T>(table: string, work: (wait: (statements: number) => Promise<void>) => Promise<T>): Promise<T> {
    const own = new Database({ connectionString: this.bench.connectionString, max: 1 });
    try {
      return await own.transaction(async (session) => {
        const name = table.replaceAll('{schema}', this.bench.generation.schema);
        await session.query({ text: `LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`, values: [] });
        return work((statements) => this.untilWaiting(statements));
      });
    } finally {
      await own.close();
    }
  }

  private async untilWaiting(statements: number): Promise<void> {
    for (;;) {
      const [row] = await this.bench.rows<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if ((row?.waiting ?? 0) >= statements) return;
      await delay(50);
    }
  }

  async close(): Promise<void> {
    this.permits.close();
    await this.waits.close();
    await this.completions.close();
    await this.served.close();
    this.stop.abort();
    await this.projecting;
    await this.lookUps.close();
    await this.bench.close();
  }
}
