import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { Fault, isFault } from '#fault';
import { migrations } from '../../migrations';
import { serverFault, serverQuery, type ServerRow } from './check-server';
import { connectionFault } from './connection-fault';
import { databaseErrorCode } from './retriable';

const migrationsTable = 'migrations';

/** How many migrations this program knows. */
export const controlVersion = migrations.length;

/**
 * Brings the control tables (schema `nodeledger`) to the newest form. Safe when several processes start at once: an
 * advisory lock lets one work and the others find it done. Faults: `database.unreachable`, `database.refused`,
 * `database.too-old`, `database.encoding`. `count`: only to the form that so many migrations make.
 */
export async function migrateControlTables(connectionString: string, count = migrations.length): Promise<void> {
  const guard = new Client({ connectionString, application_name: 'nodeledger migrations' });
  guard.on('error', () => undefined);
  try {
    await guard.connect();
  } catch (error) {
    throw connectionFault(error);
  }
  try {
    const { rows } = await guard.query<ServerRow>(serverQuery);
    const fault = rows[0] && serverFault(rows[0]);
    if (fault !== undefined) throw fault;
    await guard.query(`SELECT pg_advisory_lock(hashtextextended('nodeledger migrations', 0))`);
    // The runner keeps its book in this schema and so needs it before the first migration.
    await guard.query('CREATE SCHEMA IF NOT EXISTS nodeledger');
    if (await allHaveRun(guard, count)) return;
    await runMigrations(connectionString, count);
  } catch (error) {
    if (isFault(error)) throw error;
    const said = error instanceof Error ? error.message : String(error);
    throw new Fault('broken', 'database.migration', `the control tables could not be brought up to date: ${said}`, {
      cause: error,
    });
  } finally {
    await guard.end();
  }
}

/** Whether the runner's table lists the first `count` migrations: then there is no need to load the runner. */
async function allHaveRun(client: Client, count: number): Promise<boolean> {
  const { rows: tables } = await client.query(
    `SELECT FROM pg_tables WHERE schemaname = 'nodeledger' AND tablename = '${migrationsTable}'`,
  );
  if (tables.length === 0) return false;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM nodeledger.${migrationsTable}`);
  const run = new Set(rows.map(({ name }) => name));
  return migrations.slice(0, count).every((Migration) => run.has(new Migration().name));
}

async function runMigrations(connectionString: string, count: number): Promise<void> {
  // Loaded only where it is needed: threads and verbs that migrate nothing do without the memory of its 300 modules.
  const { DataSource } = await import('typeorm');
  const source = new DataSource({
    type: 'postgres',
    url: connectionString,
    schema: 'nodeledger',
    applicationName: 'nodeledger migrations',
    migrations: migrations.slice(0, count),
    migrationsTableName: migrationsTable,
    migrationsTransactionMode: 'each',
    installExtensions: false,
    logging: false,
    poolSize: 2,
  });
  await source.initialize();
  try {
    await patiently(() => source.runMigrations());
  } finally {
    await source.destroy();
  }
}

const lockNotAvailable = '55P03';
/** Between two attempts, the queries run that waited behind the last one. */
const pauseMs = 2_000;

/** Tries again as long as a migration meets locks of running queries. Each query ends at its deadline at the latest. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (databaseErrorCode(error) !== lockNotAvailable) throw error;
      await delay(pauseMs);
    }
  }
}
