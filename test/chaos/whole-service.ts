/** Runs the service in one process with a database of its own, and gives the test access to its database and log. */
import { rm } from 'node:fs/promises';
import { readSettings } from '#config';
import { Database } from '#database';
import type { CommandLog } from '#log';
import { openCommandLog } from '../../apps/server/open-log';
import { startService, temporaryDataDir, type RunningService } from '../e2e/service';
import { freshTopic, kafkaBrokers } from '../support/kafka';
import { freshDatabase } from '../support/postgres';
import { Verbs } from './verbs';

export type LogBody = 'embedded' | 'kafka';
type Settings = Readonly<Record<string, string>>;

export class WholeService {
  private readonly closers: (() => Promise<unknown>)[] = [];
  private service: RunningService | undefined;
  /** Of the service and of its verbs. */
  settings: Settings = {};
  private dataDir = '';
  db!: Database;
  log!: CommandLog;
  topic = freshTopic();
  brokers: string[] = [];

  /** `settings` are added to defaults that prevent periodic cleanings and snapshots. */
  static async open(body: LogBody, settings: Settings = {}): Promise<WholeService> {
    const made = new WholeService();
    try {
      await made.prepare(body, settings);
      return made;
    } catch (error) {
      await made.close();
      throw error;
    }
  }

  get url(): string {
    if (this.service === undefined) throw new Error('the service does not run');
    return this.service.url;
  }

  get verbs(): Verbs {
    return new Verbs(this.dataDir, this.settings);
  }

  /** Restarts the service with further settings. Later verbs use these settings, too. */
  async restart(further: Settings = {}): Promise<void> {
    await this.service?.stop();
    this.service = undefined;
    this.settings = { ...this.settings, ...further };
    this.service = await startService({ dataDir: this.dataDir, env: this.settings });
  }

  /** Sends SIGKILL. The service does not run again until `restart`. */
  async kill(): Promise<void> {
    await this.service?.kill();
    this.service = undefined;
  }

  async close(): Promise<void> {
    for (const one of this.closers.splice(0).reverse()) await one();
  }

  private async prepare(body: LogBody, settings: Settings): Promise<void> {
    const database = await freshDatabase();
    this.closers.push(() => database.drop());
    const dataDir = await temporaryDataDir();
    this.dataDir = dataDir;
    this.closers.push(() => rm(dataDir, { recursive: true, force: true }));
    if (body === 'kafka') this.brokers = await givenBrokers();
    this.settings = {
      DATABASE_URL: database.connectionString,
      NODELEDGER_GC_INTERVAL: '0',
      NODELEDGER_SNAPSHOT_INTERVAL: '0',
      NODELEDGER_LOG_PARTITIONS: '3',
      ...(body === 'kafka' && { KAFKA_BROKERS: this.brokers.join(), NODELEDGER_LOG_TOPIC: this.topic }),
    };
    this.closers.push(async () => this.service?.stop());
    await this.restart(settings);
    this.db = new Database({ connectionString: database.connectionString, max: 4, applicationName: 'test' });
    this.closers.push(() => this.db.close());
    this.log = await openCommandLog(readSettings([], this.settings).settings, this.db);
    this.closers.push(() => this.log.close());
    await this.log.open();
  }
}

async function givenBrokers(): Promise<string[]> {
  const brokers = await kafkaBrokers();
  if (!Array.isArray(brokers)) throw new Error(brokers.skipped);
  return brokers;
}
