import type { DynamicModule } from '@nestjs/common';
import { Access, CertificateRoles, Gate, type Role, SessionTable, TokenCache, TokenTable } from '#access';
import { Database, PositionWaits } from '#database';
import { type HttpServer, openHttp } from '#http';
import { defaultLimits } from '#limits';
import { projectionVersion } from '#projections';
import { Permits, type QueryOptions } from '#query';
import { ProjectionBench } from './projection';

interface Served {
  readonly queries: QueryOptions;
  readonly access: Access;
}

/** The endpoints of a module over HTTP, with roles, and with tables that the test fills. */
export class EndpointBench {
  readonly reported: unknown[] = [];
  private readonly closers: (() => Promise<void>)[] = [];
  private readonly secrets = new Map<string, string>();
  private server: HttpServer | undefined;

  private constructor(
    readonly projection: ProjectionBench,
    readonly tokens: TokenTable,
  ) {}

  static async open(register: (served: Served) => DynamicModule): Promise<EndpointBench> {
    const projection = await ProjectionBench.open();
    const bench = new EndpointBench(projection, new TokenTable(projection.db));
    bench.closers.push(() => projection.close());
    await bench.serve(register);
    return bench;
  }

  async close(): Promise<void> {
    for (const close of this.closers.reverse()) await close();
  }

  /** Returns the secret of a token with these roles. */
  async token(...roles: Role[]): Promise<string> {
    const name = `has ${roles.join(' ')}`;
    const known = this.secrets.get(name) ?? (await this.tokens.create({ name, roles, expires: undefined }));
    this.secrets.set(name, known);
    return known;
  }

  /** Sends a request to a path below `/nodeledger/v1`. Parameters that are not texts are sent as JSON. */
  async ask(
    path: string,
    parameters: Readonly<Record<string, unknown>> = {},
    { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const texts = Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const query = texts.length === 0 ? '' : `?${new URLSearchParams(texts).toString()}`;
    return fetch(`${this.server?.urls[0]}/nodeledger/v1/${path}${query}`, { ...init, headers });
  }

  /** Asks with the role query, and returns the JSON of the answer. */
  async json<T>(path: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<T> {
    const answer = await this.ask(path, parameters, {
      headers: { authorization: `Bearer ${await this.token('query')}` },
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** Returns the status and the code of a refusal. */
  async refusal(
    path: string,
    parameters: Readonly<Record<string, unknown>> = {},
  ): Promise<[number, string | null, string]> {
    const answer = await this.ask(path, parameters, {
      headers: { authorization: `Bearer ${await this.token('query')}` },
    });
    return [answer.status, answer.headers.get('x-nodeledger-error'), await answer.text()];
  }

  private async serve(register: (served: Served) => DynamicModule): Promise<void> {
    const { connectionString, db } = this.projection;
    const readDb = new Database({ connectionString, max: 8, readOnly: true, pipeline: true, keepPlans: true });
    const lookUps = new Database({ connectionString, max: 1, readOnly: true });
    const waits = new PositionWaits(lookUps);
    await waits.open();
    const queries: QueryOptions = {
      database: readDb,
      permits: new Permits({ total: 8, perAddress: 8, active: 8 }),
      projectionVersion,
      waits,
      waitTimeoutMs: 1_000,
      edition: 'full',
      dialect: 'neutral',
      timeoutMs: 60_000,
      limits: defaultLimits,
    };
    const tokens = new TokenCache({ table: this.tokens, onFailure: (error) => this.reported.push(error) });
    await tokens.open();
    const noCertificates = CertificateRoles.parse('certificates: []', 'roles.yaml');
    const access = new Access(() => noCertificates, tokens, new SessionTable(db, tokens));
    const gate = new Gate({ access });
    this.server = await openHttp(register({ queries, access }), {
      listeners: [{ host: '127.0.0.1', port: 0 }],
      maxBodyBytes: 200_000,
      authorize: (request) => gate.check(request),
      report: (error) => {
        this.reported.push(error);
        process.stderr.write(`${String(error)}\n`);
      },
    });
    this.closers.push(
      () => lookUps.close(),
      () => readDb.close(),
      () => tokens.close(),
      () => waits.close(),
      () => this.server!.close(),
    );
  }
}
