/**
 * The owner of a cluster is the service that holds a session lock in the maintenance database. PostgreSQL releases the
 * lock with the connection, so a killed service is no longer the owner.
 */
import { Client } from 'pg';
import { Fault } from '#fault';

const lockKey = `hashtextextended('nodeledger owner', 0)`;
const namePrefix = 'nodeledger owner ';

export interface Access {
  readonly port: number;
  readonly password: string;
  readonly user: string;
}

export async function maintenanceClient({ port, password, user }: Access): Promise<Client> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user,
    password,
    database: 'postgres',
    application_name: `${namePrefix}${process.pid}`,
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Returns the process id of the owner, 0 if this id is unknown, or undefined if there is no owner. */
export async function ownerOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.pid <> pg_backend_pid()
       AND ((l.classid::bigint << 32) | l.objid::bigint) = ${lockKey}`,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return row.name.startsWith(namePrefix) ? Number(row.name.slice(namePrefix.length)) : 0;
}

/** Makes this process the owner while `client` stays connected. Returns false if another service is the owner. */
export async function takeOwnership(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${lockKey}) AS taken`);
  return rows[0]?.taken === true;
}

export const inUse = (dataDir: string, owner: number): Fault =>
  new Fault('conflict', 'database.in-use', `the data directory ${dataDir} is in use by process ${owner || 'unknown'}`, {
    hint: 'Stop that service, or give this one a data directory of its own (NODELEDGER_DATA_DIR).',
    details: { dataDir, pid: owner },
  });
