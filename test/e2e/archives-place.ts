/**
 * A database and a log (embedded or on Kafka) with a service that the test starts, kills, fills, exports and imports
 * into.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freshDatabase, type FreshDatabase } from '../support/postgres';
import { until } from '../support/until';
import { type RunningService, startService } from './service';
import { runVerb } from './verb';

type Settings = Readonly<Record<string, string>>;

/** Settings without periodic cleanings and snapshots. */
const usual = {
  NODELEDGER_GC_INTERVAL: '0',
  NODELEDGER_SNAPSHOT_INTERVAL: '0',
  NODELEDGER_NODE_TTL: '10d',
  NODELEDGER_NODE_PURGE_TTL: '100d',
};

export class ArchivesPlace {
  private running: RunningService | undefined;

  private constructor(
    private readonly room: string,
    private readonly database: FreshDatabase,
    readonly settings: Settings,
  ) {}

  /** `room`: the folder where its processes run. */
  static async make(room: string, settings: Settings = {}): Promise<ArchivesPlace> {
    const database = await freshDatabase();
    const own = { DATABASE_URL: database.connectionString, NODELEDGER_DATA_DIR: room };
    return new ArchivesPlace(room, database, { ...usual, ...own, ...settings });
  }

  get url(): string {
    if (this.running === undefined) throw new Error('the service does not run');
    return this.running.url;
  }

  async start(): Promise<void> {
    this.running = await startService({ dataDir: this.room, env: this.settings });
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    this.running = undefined;
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.running?.kill();
    this.running = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.database.drop();
  }

  /** Returns the output of the verb. */
  async verb(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runVerb(args, this.room, this.settings);
    if (code !== 0) throw new Error(`nodeledger ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }

  async post(path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${this.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }

  submit(command: string, version: number, certname: string, payload: object): Promise<void> {
    return this.post(`/pdb/cmd/v1?${new URLSearchParams({ command, version: String(version), certname })}`, payload);
  }

  /** Waits until the tables have the whole log. Returns the position in the form that `--at` accepts. */
  async position(): Promise<string> {
    interface Look {
      readonly lag: number;
      readonly partitions: readonly { readonly partition: number; readonly end: number }[];
    }
    let look: Look | undefined;
    await until(async () => (look = JSON.parse(await this.verb('log', 'status', '--json')) as Look).lag === 0);
    return look!.partitions.map(({ partition, end }) => `${partition}-${end}`).join();
  }

  async archive(): Promise<Buffer> {
    const answer = await fetch(`${this.url}/pdb/admin/v1/archive`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.status !== 200) throw new Error(`${answer.status} ${bytes.toString()}`);
    return bytes;
  }

  async archiveOfVerb(...args: string[]): Promise<Buffer> {
    const file = join(this.room, 'by-verb.tgz');
    await this.verb('export', file, ...args);
    return readFile(file);
  }

  import(file: string): Promise<string> {
    return this.verb('import', file, '--url', this.url);
  }
}
