import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '#config';
import { advancePositions, Database, type DatabaseOptions, Generations, migrateControlTables } from '#database';
import { Fault } from '#fault';
import { Alerts, openLog } from '#observe';
import { MemoryCommandLog } from '../../../libs/log/testing/memory-command-log';
import { Outages } from '../../../apps/server/outages';
import { allComponents } from '../../../apps/server/components';
import { AppendQueue } from '../../../libs/log/append-queue';
import { storeFailures } from '../../../libs/log/embedded/store-failures';
import { kafkaFault, unreachable } from '../../../libs/log/kafka/kafka-faults';
import { unstorable } from '../../../libs/log/unstorable';
import { QueueBudget } from '../../../libs/log/queue-budget';
import { StorageMonitor } from '../../../apps/server/storage/storage-monitor';
import { freshDatabase, testServer } from '../../support/postgres';
import { until } from '../../support/until';
import { type Example, refusal } from './example';
import type { LittleService } from './little-service';

const record = {
  uuid: '3f2c2a5e-0000-4000-8000-000000000000',
  command: 'replace facts',
  version: 5,
  certname: 'web1',
  receivedAt: 0,
  encoding: 'identity' as const,
  payload: Buffer.from('{}'),
};

/** Causes the errors of PostgreSQL and the log that a test can cause without damaging either. */
export async function storeExamples(service: LittleService): Promise<Example[]> {
  return [...(await databaseExamples(service)), ...(await outageExamples(service)), ...(await logExamples())];
}

async function databaseExamples({ bench }: LittleService): Promise<Example[]> {
  const { connectionString, generation } = bench;
  const using = async <T>(options: Partial<DatabaseOptions>, work: (db: Database) => Promise<T>): Promise<T> => {
    const db = new Database({ connectionString, max: 1, ...options });
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  };
  const run = (text: string, options: Partial<DatabaseOptions> = {}) =>
    using(options, (db) => db.query({ text, values: [] }));
  const missing = new URL(connectionString);
  missing.pathname = '/none';
  return [
    await refusal('database.unreachable', 'npm start, while PostgreSQL does not run', () =>
      run('SELECT 1', { connectionString: 'postgres://127.0.0.1:1/nodeledger' }),
    ),
    await refusal('database.refused', 'npm start, with a database in DATABASE_URL that does not exist', () =>
      run('SELECT 1', { connectionString: missing.href }),
    ),
    await refusal('database.crowded', 'A statement, while all connections are in use', () =>
      using({ connectTimeoutMs: 300 }, (db) =>
        db.transaction(async () => {
          await db.query({ text: 'SELECT 1', values: [] });
        }),
      ),
    ),
    await refusal('database.timeout', 'A statement that waits for a lock', () =>
      run('SELECT pg_sleep(30)', { statementTimeoutMs: 100 }),
    ),
    await refusal('database.cut-off', 'A statement, when PostgreSQL is restarted', () =>
      run('SELECT pg_terminate_backend(pg_backend_pid())'),
    ),
    await refusal('database.unsafe-integer', 'A count beyond 9,007,199,254,740,991', () =>
      run('SELECT 9007199254740993::bigint'),
    ),
    await refusal('database.fenced', 'A batch that another projector has applied', () =>
      bench.db.transaction((session) =>
        advancePositions(session, generation.generation, [{ partition: 0, from: 900_000, to: 900_001 }]),
      ),
    ),
    await refusal('database.retired', 'A batch for read tables that a rebuild has replaced', () =>
      bench.db.transaction((session) => advancePositions(session, 999, [{ partition: 0, from: 1, to: 2 }])),
    ),
    await refusal('database.behind', 'A switch to read tables that are not complete', async () => {
      const generations = new Generations(bench.db);
      const next = await bench.newGeneration();
      try {
        await generations.switchTo(next, async () => undefined);
      } finally {
        await generations.drop(next);
      }
    }),
    await refusal('database.encoding', 'npm start, with a database that was created with ENCODING SQL_ASCII', () =>
      inAscii(migrateControlTables),
    ),
    await refusal('database.unreleased', 'npm start', ofUnreleasedBuild),
  ];
}

async function ofUnreleasedBuild(): Promise<void> {
  const fresh = await freshDatabase();
  const db = new Database({ connectionString: fresh.connectionString, max: 1 });
  try {
    await db.query({
      text: `CREATE SCHEMA nodeledger; CREATE TABLE nodeledger.migrations (name text);
             INSERT INTO nodeledger.migrations VALUES ('ControlTables0000000000001')`,
      values: [],
    });
    await migrateControlTables(fresh.connectionString);
  } finally {
    await db.close();
    await fresh.drop();
  }
}

async function inAscii(work: (connectionString: string) => Promise<unknown>): Promise<void> {
  const server = await testServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const db = new Database({ connectionString: server, max: 1 });
  const run = (text: string): Promise<unknown> => db.query({ text, values: [] });
  try {
    await run(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'`,
    );
    try {
      await work(url.href);
    } finally {
      await run(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  } finally {
    await db.close();
  }
}

/** The answer to a client during an outage. */
async function outageExamples({ bench }: LittleService): Promise<Example[]> {
  const alerts = new Alerts(openLog({ level: 'silent' }));
  const outages = new Outages({ alerts, connectionString: bench.connectionString, components: allComponents });
  const dataDir = await mkdtemp(join(tmpdir(), 'nodeledger-page-'));
  await mkdir(join(dataDir, 'postgres'));
  const { settings } = readSettings([], { NODELEDGER_DATA_DIR: dataDir, NODELEDGER_MIN_FREE_DISK: '9000000GB' });
  const storage = new StorageMonitor({ settings, db: bench.db, log: bench.log, alerts });
  try {
    return [
      await refusal('database.full', 'POST /pdb/cmd/v1?…, while the disk of PostgreSQL is full', () => {
        const full = new Error('could not extend file "base/16385/16401": No space left on device');
        throw outages.report(Object.assign(full, { code: '53100' })) ?? full;
      }),
      await refusal('database.disk-low', 'POST /pdb/cmd/v1?…, with NODELEDGER_MIN_FREE_DISK=9000000GB', async () => {
        await until(() => storage.isLow);
        throw storage.refusal() ?? new Error('no refusal');
      }),
    ];
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true });
    await outages.close();
    alerts.close();
  }
}

async function logExamples(): Promise<Example[]> {
  const open = new MemoryCommandLog({ partitions: 1 });
  await open.open();
  const read = async (start: ReadonlyMap<number, number>): Promise<unknown> => {
    const reader = open.reader(start);
    try {
      return await reader.next({ maxRecords: 1, maxBytes: 1 });
    } finally {
      await reader.close();
    }
  };
  const met = (type: string, message: string): Error => Object.assign(new Error(message), { type });
  return [
    await refusal('log.unavailable', 'POST /pdb/cmd/v1?…, while the brokers elect a leader', () => {
      throw kafkaFault(
        met('NOT_LEADER_FOR_PARTITION', 'This server is not the leader for that topic-partition'),
        'appending a command',
      );
    }),
    await refusal('log.unreachable', 'npm start, while no broker runs', () => {
      throw unreachable(['kafka1:9092'], new Error('connect ECONNREFUSED 10.0.0.5:9092'));
    }),
    await refusal('log.forbidden', 'npm start, with a user without rights on the topic', () => {
      throw kafkaFault(
        met('TOPIC_AUTHORIZATION_FAILED', 'Not authorized to access topics: [Topic authorization failed]'),
        'reading the topic',
      );
    }),
    await refusal('log.too-large', 'A command that is larger than max.message.bytes of the topic', () => {
      throw kafkaFault(
        met(
          'MESSAGE_TOO_LARGE',
          'The request included a message larger than the max message size the server will accept',
        ),
        'appending a command',
      );
    }),
    await refusal('log.full', 'POST /pdb/cmd/v1?…, while very many commands wait to be stored', () => fullQueue()),
    await refusal('log.unstorable', 'A command whose certname has a character that cannot be stored', () => {
      throw unstorable({ ...record, certname: 'web\0' }) ?? new Error('it can be stored');
    }),
    await refusal('log.past-end', 'Read tables that are further than the log', () => read(new Map([[0, 1208]]))),
    await refusal('log.no-partition', 'Read tables of a log with more partitions', () => read(new Map([[7, 1]]))),
    await refusal('log.append', 'POST /pdb/cmd/v1?…, while a table of the log is changed from outside', () => {
      const changed = new Error('column "payload" of relation "log_records" does not exist');
      throw storeFailures.fault(Object.assign(changed, { code: '42703' }));
    }),
  ];
}

async function fullQueue(): Promise<void> {
  const queue = new AppendQueue({
    store: () => new Promise(() => undefined),
    failures: { isWorthRetry: () => false, mayBeOneRecord: () => false, fault: (error) => error as Fault },
    budget: new QueueBudget({ appends: 1 }),
  });
  void queue.add({ partition: 0, record });
  await queue.add({ partition: 0, record });
}
