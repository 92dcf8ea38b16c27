import { Fault } from '#fault';

const oldestMajor = 14;

export interface ServerRow {
  readonly version: string;
  readonly major: number;
  readonly encoding: string;
}

export const serverQuery = `
  SELECT current_setting('server_version') AS version,
         current_setting('server_version_num')::int / 10000 AS major,
         current_setting('server_encoding') AS encoding`;

export function serverFault({ version, major, encoding }: ServerRow): Fault | undefined {
  if (major < oldestMajor) {
    return new Fault('broken', 'database.too-old', `PostgreSQL ${version} is too old`, {
      hint: `Use PostgreSQL ${oldestMajor} or later.`,
    });
  }
  if (encoding === 'UTF8') return undefined;
  return new Fault('broken', 'database.encoding', `the database's encoding is ${encoding}`, {
    hint: 'Create the database with ENCODING UTF8.',
  });
}
