import { Database, PositionWaits } from '#database';
import { type HttpServer, openHttp } from '#http';
import { defaultLimits } from '#limits';
import { projectionVersion } from '#projections';
import { catalog, edge, event, factset, report, resource } from '../../../test/support/documents';
import { testServer } from '../../../test/support/postgres';
import { ProjectionBench } from '../../../test/support/projection';
import { Permits, QueryModule, type QueryRecord } from '../index';
import { QueryRunner } from '../run/query-runner';

/** For tests: fills tables with the documents of a few nodes, and answers queries over HTTP. */
export class QueryBench {
  readonly records: QueryRecord[] = [];
  readonly reported: unknown[] = [];
  private server: HttpServer | undefined;
  private readonly closers: (() => Promise<void>)[] = [];

  private constructor(readonly projection: ProjectionBench) {}

  static async open(): Promise<QueryBench> {
    const bench = new QueryBench(await ProjectionBench.open());
    bench.closers.push(() => bench.projection.close());
    await bench.fill();
    await bench.serve();
    return bench;
  }

  async close(): Promise<void> {
    for (const close of this.closers.reverse()) await close();
  }

  get root(): string {
    return `${this.server?.urls[0]}/pdb/query/v4`;
  }

  get runner(): QueryRunner {
    return this.server!.app.get(QueryRunner, { strict: false });
  }

  readonly get = (
    path: string,
    parameters: Record<string, unknown> = {},
    init: RequestInit = {},
  ): Promise<Response> => {
    const texts = Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return fetch(`${this.root}${path}?${new URLSearchParams(texts as [string, string][]).toString()}`, init);
  };

  readonly json = async (path: string, parameters: Record<string, unknown> = {}): Promise<unknown> =>
    (await this.get(path, parameters)).json();

  private async fill(): Promise<void> {
    const bench = this.projection;
    const facts = (certname: string, values: unknown) =>
      bench.submit('replace facts', certname, { payload: factset(certname, values) });
    const ofA = factset('a', {
      kernel: 'Linux',
      count: 3,
      os: { name: 'Debian', release: { major: '12' } },
      exact: 'N',
    });
    await bench.submit('replace facts', 'a', { payload: JSON.stringify(ofA).replace('"N"', '1.0') });
    await facts('b', { kernel: 'FreeBSD', count: 12345678901234567890n.toString() });
    await facts('c', { kernel: 'Linux', count: '3' });
    await bench.submit('replace catalog', 'a', {
      payload: catalog('a', [resource('/etc/a'), resource('/etc/b')], [edge('/etc/a', '/etc/b')]),
    });
    await bench.submit('store report', 'a', { payload: report('a', [event('mode'), event('owner')]) });
    await bench.submit('deactivate node', 'c', {
      payload: { certname: 'c', producer_timestamp: '2026-02-01T00:00:00.000Z' },
    });
    // The answer for this factset is larger than every socket buffer.
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`wide_${i}`, 'x'.repeat(30_000)]));
    await facts('wide', wide);
    await bench.settle();
    expect(bench.deadLetters).toEqual([]);
  }

  private async serve(): Promise<void> {
    const url = new URL(await testServer());
    const [own] = await this.projection.rows<{ name: string }>('SELECT current_database() AS name');
    url.pathname = `/${own?.name}`;
    const readDb = new Database({
      connectionString: url.href,
      max: 8,
      readOnly: true,
      pipeline: true,
      keepPlans: true,
    });
    const lookUps = new Database({ connectionString: url.href, max: 1, readOnly: true });
    const waits = new PositionWaits(lookUps);
    this.closers.push(
      () => lookUps.close(),
      () => readDb.close(),
    );
    await waits.open();
    const server = await openHttp(
      QueryModule.register({
        database: readDb,
        permits: new Permits({ total: 8, perAddress: 4, active: 8 }),
        projectionVersion,
        waits,
        waitTimeoutMs: 1_000,
        edition: 'full',
        dialect: 'neutral',
        timeoutMs: 20_000,
        limits: { ...defaultLimits, queryBodyBytes: 100_000 },
        onQuery: (record) => this.records.push(record),
      }),
      {
        listeners: [{ host: '127.0.0.1', port: 0 }],
        maxBodyBytes: 200_000,
        report: (error) => {
          this.reported.push(error);
          process.stderr.write(`${String(error)}\n`);
        },
      },
    );
    this.server = server;
    this.closers.push(
      () => server.close(),
      () => waits.close(),
    );
  }
}
