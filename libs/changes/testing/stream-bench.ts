import { Access, CertificateRoles, Gate, SessionTable, TokenCache, TokenTable } from '#access';
import { Database, PositionWaits } from '#database';
import { type HttpServer, openHttp } from '#http';
import { defaultLimits, type Limits } from '#limits';
import { projectionVersion } from '#projections';
import { Permits, type QueryOptions } from '#query';
import { listenTo, type ListenOptions, type Listening } from '../../../test/support/event-stream';
import { factset } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { ChangeReader, ChangesModule, OpenStreams } from '../index';

export interface StreamBenchOptions {
  readonly partitions?: number;
  readonly keepsPast?: boolean;
  readonly limits?: Partial<Limits>;
  readonly heartbeatMs?: number;
  /** Whether requests need a token. */
  readonly checksRoles?: boolean;
}

/** Opens streams over HTTP. A projector fills the tables that they read, while the test submits commands. */
export class StreamBench {
  readonly failures: unknown[] = [];
  readonly counts = { sent: 0, cutOff: 0 };
  readonly listening: Listening[] = [];
  private readonly closers: (() => Promise<void>)[] = [];
  private server: HttpServer | undefined;
  streams!: OpenStreams;
  reader!: ChangeReader;
  permits!: Permits;
  tokens!: TokenTable;
  sessions!: SessionTable;
  cache!: TokenCache;

  private constructor(readonly projection: ProjectionBench) {}

  static async open(options: StreamBenchOptions = {}): Promise<StreamBench> {
    const { partitions = 3, keepsPast = true } = options;
    const projection = await ProjectionBench.open(partitions, keepsPast);
    const bench = new StreamBench(projection);
    bench.closers.push(() => projection.close());
    await bench.serve(options);
    return bench;
  }

  async close(): Promise<void> {
    for (const one of this.listening) one.close();
    for (const close of this.closers.splice(0).reverse()) await close();
  }

  /** Runs a projector until the returned function is called. */
  project(): () => Promise<void> {
    const stopping = new AbortController();
    const running = this.projection.projector().run(stopping.signal);
    const stop = async (): Promise<void> => {
      stopping.abort();
      await running;
    };
    this.closers.push(stop);
    return stop;
  }

  /** Submits facts with a new value. */
  async facts(certname: string, value: unknown, environment = 'production'): Promise<void> {
    await this.projection.submit('replace facts', certname, {
      payload: factset(certname, { value }, { environment, producer_timestamp: new Date().toISOString() }),
      receivedAt: Date.now(),
    });
  }

  async deactivate(certname: string): Promise<void> {
    await this.projection.submit('deactivate node', certname, {
      payload: { certname, producer_timestamp: new Date().toISOString() },
      receivedAt: Date.now(),
    });
  }

  url(parameters: Readonly<Record<string, string>> = {}): string {
    return `${this.server?.urls[0]}/nodeledger/v1/changes?${new URLSearchParams(parameters)}`;
  }

  async listen(parameters: Readonly<Record<string, string>> = {}, options: ListenOptions = {}): Promise<Listening> {
    const listening = await listenTo(this.url(parameters), options);
    this.listening.push(listening);
    return listening;
  }

  /** Returns the status, the code and the headers of a refusal. */
  async refusal(
    parameters: Readonly<Record<string, string>>,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; code: string | null; earliest: string | null; text: string }> {
    const answer = await fetch(this.url(parameters), { headers, signal: AbortSignal.timeout(20_000) });
    return {
      status: answer.status,
      code: answer.headers.get('x-nodeledger-error'),
      earliest: answer.headers.get('x-nodeledger-earliest'),
      text: await answer.text(),
    };
  }

  private async serve({ limits = {}, heartbeatMs, checksRoles = false }: StreamBenchOptions): Promise<void> {
    const { connectionString, db } = this.projection;
    const all = { ...defaultLimits, ...limits };
    const open = (max: number): Database => {
      const opened = new Database({ connectionString, max, readOnly: true });
      this.closers.push(() => opened.close());
      return opened;
    };
    const waits = new PositionWaits(open(1));
    await waits.open();
    this.closers.push(() => waits.close());
    this.permits = new Permits({ total: 4, perAddress: 4, active: 4 });
    const queries: QueryOptions = {
      ...{ database: open(4), permits: this.permits, projectionVersion, waits, waitTimeoutMs: 1_000 },
      ...{ edition: 'full', dialect: 'neutral', timeoutMs: 60_000, limits: all },
    };
    this.reader = new ChangeReader(open(3));
    await this.reader.open();
    this.closers.push(() => this.reader.close());
    this.streams = new OpenStreams({
      ...{ reader: this.reader, limits: all },
      ...(heartbeatMs !== undefined && { heartbeatMs }),
      observer: {
        sent: (events) => (this.counts.sent += events),
        cutOff: () => (this.counts.cutOff += 1),
        failed: (error) => this.failures.push(error),
      },
    });
    this.tokens = new TokenTable(db);
    this.cache = new TokenCache({ table: this.tokens, onFailure: (error) => this.failures.push(error) });
    await this.cache.open();
    this.closers.push(() => this.cache.close());
    this.sessions = new SessionTable(db, this.cache);
    const none = CertificateRoles.parse('certificates: []', 'roles.yaml');
    const gate = new Gate({ access: new Access(() => none, this.cache, this.sessions) });
    this.server = await openHttp(
      ChangesModule.register({ queries, live: { reader: this.reader, streams: this.streams } }),
      {
        listeners: [{ host: '127.0.0.1', port: 0 }],
        maxBodyBytes: 200_000,
        graceMs: 1_000,
        ...(checksRoles && { authorize: (request) => gate.check(request) }),
        report: (error) => {
          this.failures.push(error);
          process.stderr.write(`${String(error)}\n`);
        },
      },
    );
    this.closers.push(
      () => this.server!.close(),
      () => this.streams.close(),
    );
  }
}
