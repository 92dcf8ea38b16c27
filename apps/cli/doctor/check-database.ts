import type { Database } from '#database';
import type { Finding } from './finding';

interface ServerRow {
  readonly version: string;
  readonly major: number;
  readonly encoding: string;
  readonly fsync: string;
  readonly pages: string;
  readonly superuser: boolean;
  readonly mayCreate: boolean;
  readonly megabytes: number;
}

const check = 'database';
const oldest = 14;

const serverQuery = `
  SELECT current_setting('server_version') AS version,
         current_setting('server_version_num')::int / 10000 AS major,
         current_setting('server_encoding') AS encoding,
         current_setting('fsync') AS fsync,
         current_setting('full_page_writes') AS pages,
         (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
         has_database_privilege(current_database(), 'CREATE') AS "mayCreate",
         pg_database_size(current_database())::float8 / 1e6 AS megabytes`;

/** `isOwn`: the built-in PostgreSQL, which only this user can reach. */
export async function checkDatabase(db: Database, isOwn: boolean): Promise<Finding[]> {
  const [row] = await db.query<ServerRow>({ text: serverQuery, values: [] });
  if (row === undefined) return [];
  const findings: Finding[] = [];
  const add = (level: 'warning' | 'error', text: string, remedy: string): void =>
    void findings.push({ check, level, text, remedy });
  if (row.major < oldest) add('error', `PostgreSQL ${row.version} is too old.`, `Use PostgreSQL ${oldest} or later.`);
  if (row.encoding !== 'UTF8') {
    add('error', `The encoding of the database is ${row.encoding}.`, 'Create the database with ENCODING UTF8.');
  }
  if (row.fsync === 'off') {
    add('error', 'fsync is off: a crash can destroy the database.', 'Set fsync = on in postgresql.conf.');
  }
  if (row.pages === 'off') {
    add(
      'warning',
      'full_page_writes is off: a crash can destroy the database, unless the file system writes whole pages.',
      'Set full_page_writes = on in postgresql.conf.',
    );
  }
  if (!row.mayCreate) {
    add(
      'error',
      'The database user may not create schemas.',
      'Make it the owner of the database, or run: GRANT CREATE ON DATABASE … TO …',
    );
  }
  if (row.superuser && !isOwn) {
    add('warning', 'The database user is a superuser.', 'Use an ordinary user that owns the database.');
  }
  if (findings.length > 0) return findings;
  return [{ check, level: 'ok', text: `PostgreSQL ${row.version}, ${Math.round(row.megabytes)} MB.` }];
}
