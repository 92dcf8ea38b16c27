/** A separate PostgreSQL behind a proxy. The test restarts it with the same data and the same address. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../libs/database/embedded/embedded-postgres';
import { temporaryDataDir } from '../e2e/service';
import { FaultProxy } from '../support/fault-proxy';

/** `fast`: a normal stop. `immediate`: a stop without a checkpoint, as in a crash. `kill`: SIGKILL. */
export type PostgresEnd = 'fast' | 'immediate' | 'kill';

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;

export class OwnPostgres {
  private constructor(
    private readonly dataDir: string,
    private readonly proxy: FaultProxy,
    private server: EmbeddedPostgres,
  ) {}

  static async start(): Promise<OwnPostgres> {
    const dataDir = await temporaryDataDir();
    const proxy = await FaultProxy.open();
    const server = await EmbeddedPostgres.start({ dataDir });
    proxy.forwardTo(portOf(server));
    return new OwnPostgres(dataDir, proxy, server);
  }

  /** Stays the same after each restart. */
  get connectionString(): string {
    const url = new URL(this.server.connectionString);
    url.host = this.proxy.address;
    // Without the name of the socket, which would bypass the proxy.
    url.search = '';
    return url.href;
  }

  /** Resolves when the server accepts connections again. */
  async restart(how: PostgresEnd, downMs: number): Promise<void> {
    await this.end(how);
    await new Promise((resolve) => setTimeout(resolve, downMs));
    await this.startAgain();
  }

  /** Resolves when the server has ended. Then connections are refused. */
  async end(how: PostgresEnd): Promise<void> {
    const { server } = this;
    await this.proxy.refuse();
    // Sends the signal directly, so that the server ends while it works.
    process.kill(await this.pid(), signals[how]);
    await server.ended;
  }

  /** Starts the server with the same data and address, after `end`. */
  async startAgain(): Promise<void> {
    await this.server.stop();
    this.server = await EmbeddedPostgres.start({ dataDir: this.dataDir });
    this.proxy.forwardTo(portOf(this.server));
    await this.proxy.accept();
  }

  async stop(): Promise<void> {
    await this.proxy.close();
    await this.server.stop();
    await rm(this.server.location, { recursive: true, force: true });
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async pid(): Promise<number> {
    const [first] = (await readFile(join(this.server.location, 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
    return Number(first);
  }
}

const portOf = ({ connectionString }: EmbeddedPostgres): number => Number(new URL(connectionString).port);
