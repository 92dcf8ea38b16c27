import 'reflect-metadata';
import { Client } from 'pg';
import { Fault, isFault } from '#fault';
import { migrations } from '../../migrations';
import { serverFault, serverQuery, type ServerRow } from './check-server';
import { connectionFault } from './connection-fault';
import { moveHint } from './unreleased';

const migrationsTable = 'migrations';

/** The version of the control tables: the number of migrations. Backups contain this number. */
export const controlVersion = migrations.length;

/** Name of the first migration in builds that were made before release 0.2.0 and never released. */
const unreleasedMigration = 'ControlTables0000000000001';

/**
 * Throws `database.unreachable`, `database.refused`, `database.too-old`, `database.encoding`, `database.unreleased` or
 * `database.migration`.
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
    // Creates the schema first, because TypeORM stores its table of migrations there before it runs the first
    // migration.
    await guard.query('CREATE SCHEMA IF NOT EXISTS nodeledger');
    const run = await finishedMigrations(guard);
    if (run.has(unreleasedMigration)) throw unreleased();
    // If no migration is missing, TypeORM is not loaded, because its 300 modules take memory in every thread.
    if (migrations.slice(0, count).every((Migration) => run.has(new Migration().name))) return;
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

const unreleased = (): Fault =>
  new Fault('conflict', 'database.unreleased', 'this release cannot read the data of this database', {
    hint: moveHint,
  });

async function finishedMigrations(client: Client): Promise<Set<string>> {
  const { rows: tables } = await client.query(
    `SELECT FROM pg_tables WHERE schemaname = 'nodeledger' AND tablename = '${migrationsTable}'`,
  );
  if (tables.length === 0) return new Set();
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM nodeledger.${migrationsTable}`);
  return new Set(rows.map(({ name }) => name));
}

async function runMigrations(connectionString: string, count: number): Promise<void> {
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
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}
