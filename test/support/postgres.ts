import { randomBytes } from 'node:crypto';
import { Database } from '#database';

export interface FreshDatabase {
  readonly connectionString: string;
  /** Ends the remaining connections and drops the database. */
  drop(): Promise<void>;
}

let serverOfRun: Promise<string> | undefined;

/** The server of the run: the one of TEST_DATABASE_URL, or an embedded one that the first call starts. */
export function testServer(): Promise<string> {
  serverOfRun ??= ask();
  return serverOfRun;
}

async function ask(): Promise<string> {
  const own = process.env.TEST_DATABASE_URL;
  if (own !== undefined && own !== '') return own;
  const desk = process.env.NODELEDGER_TEST_DESK;
  if (desk === undefined)
    throw new Error('run the specs by jest from the repository: its global set-up gives PostgreSQL');
  const answer = await fetch(desk);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the test PostgreSQL did not start: ${text}`);
  return text;
}

/** Creates an empty database for one spec file. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const server = await testServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    connectionString: url.href,
    drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function onServer(connectionString: string, text: string): Promise<void> {
  const db = new Database({ connectionString, max: 1 });
  try {
    await db.query({ text, values: [] });
  } finally {
    await db.close();
  }
}
