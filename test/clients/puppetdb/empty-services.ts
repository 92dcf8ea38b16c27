import { rm } from 'node:fs/promises';
import { type RunningService, startService, temporaryDataDir } from '../../e2e/service';
import { freshDatabase } from '../../support/postgres';

/** The same settings as for PuppetDB here: nothing is removed because of its age. */
const settings = {
  NODELEDGER_DIALECT: 'puppetdb',
  NODELEDGER_EDITION: 'open',
  NODELEDGER_GC_INTERVAL: '0',
  NODELEDGER_NODE_TTL: '4000d',
  NODELEDGER_NODE_PURGE_TTL: '20000d',
  NODELEDGER_REPORT_TTL: '20000d',
  NODELEDGER_RESOURCE_EVENTS_TTL: '20000d',
  // PuppetDB refuses the additions to its query language.
  NODELEDGER_STRICT_QUERIES: 'true',
};

/** Starts services without any data, each with its own database. */
export class EmptyServices {
  private readonly undo: (() => Promise<unknown>)[] = [];

  async start(): Promise<RunningService> {
    const dataDir = await temporaryDataDir();
    this.undo.push(() => rm(dataDir, { recursive: true, force: true }));
    const database = await freshDatabase();
    this.undo.push(() => database.drop());
    const env = { ...settings, DATABASE_URL: database.connectionString };
    const service = await startService({ dataDir, env });
    this.undo.push(() => service.stop());
    return service;
  }

  async stop(): Promise<void> {
    for (const step of this.undo.reverse()) await step();
  }
}
