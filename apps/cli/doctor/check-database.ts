import { type Database, serverFault, serverQuery, type ServerRow } from '#database';
import { failure, type Finding } from './finding';

interface SafetyRow {
  readonly fsync: string;
  readonly pages: string;
  readonly superuser: boolean;
  readonly mayCreate: boolean;
  readonly megabytes: number;
}

const check = 'database';

const safetyQuery = `
  SELECT current_setting('fsync') AS fsync,
         current_setting('full_page_writes') AS pages,
         (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
         has_database_privilege(current_database(), 'CREATE') AS "mayCreate",
         pg_database_size(current_database())::float8 / 1e6 AS megabytes`;

/**
 * `isOwn` is true for the embedded PostgreSQL. Only the user of this process can connect to it, so its database user
 * may be a superuser.
 */
export async function checkDatabase(db: Database, isOwn: boolean): Promise<Finding[]> {
  const [server] = await db.query<ServerRow>({ text: serverQuery, values: [] });
  const [row] = await db.query<SafetyRow>({ text: safetyQuery, values: [] });
  if (server === undefined || row === undefined) return [];
  const fault = serverFault(server);
  if (fault !== undefined) return [failure(check, fault)];
  const findings: Finding[] = [];
  const add = (level: 'warning' | 'error', text: string, remedy: string): void =>
    void findings.push({ check, level, text, remedy });
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
  return [{ check, level: 'ok', text: `PostgreSQL ${server.version}, ${Math.round(row.megabytes)} MB.` }];
}
