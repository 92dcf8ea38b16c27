/**
 * During a restore, a row in maintenance_runs marks the database as incomplete. No service starts on such a database,
 * and another restore first deletes its content.
 */
import { Fault } from '#fault';
import type { Database } from './database';
import { databaseErrorCode } from './retriable';
import type { Session } from './session';
import { withoutTimeouts } from './untimed';

const kind = 'restore that has not ended';
const undefinedTable = '42P01';

export async function beginRestore(db: Database): Promise<void> {
  await db.query({ text: 'INSERT INTO nodeledger.maintenance_runs (kind) VALUES ($1)', values: [kind] });
}

export async function endRestore(db: Database | Session): Promise<void> {
  await db.query({ text: 'DELETE FROM nodeledger.maintenance_runs WHERE kind = $1', values: [kind] });
}

/** Throws `server.restore-unfinished`. */
export async function refuseUnfinishedRestore(db: Database): Promise<void> {
  if (!(await isUnfinished(db))) return;
  throw new Fault('conflict', 'server.restore-unfinished', 'a restore into this database has not ended', {
    hint: 'Wait until it has. If it was interrupted, run the same `nodeledger restore` again: it begins anew.',
  });
}

export async function clearUnfinishedRestore(db: Database): Promise<boolean> {
  if (!(await isUnfinished(db))) return false;
  await db.transaction(async (session) => {
    await withoutTimeouts(session);
    const schemas = await session.query<{ schema: string }>({
      text: `SELECT format('%I', schema_name) AS schema FROM nodeledger.generations`,
      values: [],
    });
    for (const { schema } of schemas) {
      await session.query({ text: `DROP SCHEMA IF EXISTS ${schema} CASCADE`, values: [] });
    }
    await session.query({ text: 'DROP SCHEMA nodeledger CASCADE', values: [] });
  });
  return true;
}

/** Throws `restore.not-empty`. */
export async function requireEmpty(db: Database): Promise<void> {
  const tables = await db.query<{ name: string }>({
    text: `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = 'nodeledger' AND c.relkind = 'r' AND c.relname <> 'migrations' ORDER BY 1`,
    values: [],
  });
  for (const { name } of tables) {
    const [row] = await db.query({ text: `SELECT FROM nodeledger."${name}" LIMIT 1`, values: [] });
    if (row === undefined) continue;
    throw new Fault('conflict', 'restore.not-empty', `the database holds data of nodeledger already (table ${name})`, {
      hint: 'Restore into an empty database (DATABASE_URL) or a new data directory (--data-dir). Nothing has been changed.',
    });
  }
}

async function isUnfinished(db: Database): Promise<boolean> {
  const rows = await db
    .query({ text: 'SELECT FROM nodeledger.maintenance_runs WHERE kind = $1', values: [kind] })
    .catch((error: unknown) => {
      if (databaseErrorCode(error) === undefinedTable) return [];
      throw error;
    });
  return rows.length > 0;
}
