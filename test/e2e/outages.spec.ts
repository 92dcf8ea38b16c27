/**
 * Tests the messages to operators and clients while a component is down: one alert that names it, one log line at its
 * begin, one at its end, and nothing else.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '#database';
import { OwnPostgres } from '../chaos/own-postgres';
import { factset } from '../support/documents';
import { describeWithKafka, freshTopic, startBroker, type OwnBroker } from '../support/kafka';
import { freshDatabase, type FreshDatabase } from '../support/postgres';
import { startService, temporaryDataDir, type RunningService } from './service';
import { stays, until } from '../support/until';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly code?: string;
  readonly err?: unknown;
}
interface Alert {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly since: string;
  readonly effect: string;
  readonly hint: string;
}
interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

const quiet = { NODELEDGER_GC_INTERVAL: '0', NODELEDGER_SNAPSHOT_INTERVAL: '0', NODELEDGER_LOG_PARTITIONS: '2' };

async function answerOf(url: string, init?: RequestInit): Promise<Answer> {
  const answer = await fetch(url, init);
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
}
/** Returns facts that are this many days old; NaN: facts with an invalid time. */
function submit({ url }: RunningService, certname: string, waitSeconds = 0, days = 0): Promise<Answer> {
  const parameters = new URLSearchParams({ command: 'replace facts', version: '5', certname });
  if (waitSeconds > 0) parameters.set('secondsToWaitForCompletion', String(waitSeconds));
  const time = Number.isNaN(days) ? 'never' : new Date(Date.now() - days * 86_400_000).toISOString();
  return answerOf(`${url}/pdb/cmd/v1?${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(factset(certname, { role: 'web' }, { producer_timestamp: time })),
  });
}
const query = ({ url }: RunningService): Promise<Answer> => answerOf(`${url}/pdb/query/v4/nodes`);
const clean = ({ url }: RunningService): Promise<Answer> =>
  answerOf(`${url}/pdb/admin/v1/cmd`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command: 'clean', version: 1, payload: [] }),
  });

async function alerts({ url }: RunningService): Promise<Alert[]> {
  const { text } = await answerOf(`${url}/status/v1/services/puppetdb-status`);
  return (JSON.parse(text) as { active_alerts: Alert[] }).active_alerts;
}
async function alertsInList({ url }: RunningService): Promise<Alert[]> {
  const { text } = await answerOf(`${url}/status/v1/services`);
  return (JSON.parse(text) as { 'puppetdb-status': { active_alerts: Alert[] } })['puppetdb-status'].active_alerts;
}

const untilAlert = (service: RunningService, code: string): Promise<void> =>
  until(async () => (await alerts(service)).some((alert) => alert.code === code));
const untilNone = (service: RunningService): Promise<void> => until(async () => (await alerts(service)).length === 0);

/** Returns the log lines from `from` on. A line that is not JSON is returned unchanged. */
const linesSince = (service: RunningService, from: number): (Line | string)[] =>
  service
    .output()
    .slice(from)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        return JSON.parse(line) as Line;
      } catch {
        return line;
      }
    });

/** One line at the start, one a minute, one at the end, and no others. */
function expectToldOnce(lines: readonly (Line | string)[], code: string, message: string): void {
  const [first, ...others] = lines as Line[];
  const last = others.pop();
  expect(lines).toEqual(lines.map(() => expect.objectContaining({ code })));
  expect(first?.msg.startsWith(message)).toBe(true);
  expect(others.filter(({ msg }) => !msg.startsWith('Still, for'))).toEqual([]);
  expect(others.length).toBeLessThanOrEqual(2);
  expect(last?.msg.startsWith(`Over: ${message.split(':')[0]}`)).toBe(true);
  expect(JSON.stringify(lines)).not.toMatch(/"stack"|\n\s+at |node_modules/);
}

describe('PostgreSQL, embedded log', () => {
  let postgres: OwnPostgres;
  let dataDir: string;
  let service: RunningService;
  let address: string;

  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    dataDir = await temporaryDataDir();
    const url = new URL(postgres.connectionString);
    address = `${url.host}, database ${url.pathname.slice(1)}`;
    service = await startService({
      dataDir,
      env: { ...quiet, DATABASE_URL: postgres.connectionString, NODELEDGER_LOG_LEVEL: 'info' },
    });
    expect((await submit(service, 'before.test', 20)).status).toBe(200);
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it.each(['fast', 'kill'] as const)(
    'that is stopped (%s) is named once, with what works and what to do',
    async (how) => {
      const password = new URL(postgres.connectionString).password;
      expect(password).not.toBe('');
      const from = service.output().length;
      const began = Date.now();
      await postgres.end(how);
      const name = `PostgreSQL (${address}) does not answer: `;
      // Many concurrent clients send requests for a while. Some requests are running when the component goes down, and
      // all others while it is down.
      await untilAlert(service, 'database.unreachable');
      for (let round = 0; round < 10; round++) {
        const answers = await Promise.all([
          ...Array.from({ length: 5 }, (_, n) => submit(service, `during-${how}-${round}-${n}.test`)),
          ...Array.from({ length: 5 }, () => query(service)),
          clean(service),
        ]);
        for (const { status, retryAfter, text } of answers) {
          expect([status, retryAfter]).toEqual([503, expect.stringMatching(/^\d+$/)]);
          expect(text).toContain(name);
          expect(text).toContain('Start PostgreSQL');
          expect(text).not.toContain(password);
        }
        await delay(300);
      }
      const [alert, ...others] = await alerts(service);
      expect(others).toEqual([]);
      expect(alert).toMatchObject({
        code: 'database.unreachable',
        severity: 'error',
        message: expect.stringContaining(name),
        effect: expect.stringContaining('Commands are answered 503'),
        hint: expect.stringContaining('DATABASE_URL'),
      });
      expect(await alertsInList(service)).toEqual([alert]);
      expect(Date.parse(alert!.since)).toBeGreaterThanOrEqual(began);
      expect(Date.parse(alert!.since)).toBeLessThanOrEqual(Date.now());

      await postgres.startAgain();
      await untilNone(service);
      await until(async () => (await submit(service, `after-${how}.test`, 20)).status === 200);
      expect((await query(service)).text).toContain(`after-${how}.test`);
      const lines = linesSince(service, from);
      expectToldOnce(lines, 'database.unreachable', name);
      expect(JSON.stringify(lines)).not.toContain(password);
    },
    180_000,
  );

  it('a connection that is ended is no outage', async () => {
    const db = new Database({ connectionString: postgres.connectionString, max: 1, applicationName: 'test' });
    const from = service.output().length;
    for (let times = 0; times < 3; times++) {
      await db.query({
        text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'nodeledger%'`,
        values: [],
      });
      await Promise.all([submit(service, 'ended.test'), query(service)]);
      await until(async () => (await submit(service, 'again.test')).status === 200);
    }
    await db.close();
    await until(async () => (await submit(service, 'still.test', 20)).status === 200);
    expect(linesSince(service, from)).toEqual([]);
  }, 60_000);
});

describe('PostgreSQL that takes no changes', () => {
  let fresh: FreshDatabase;
  let dataDir: string;
  let service: RunningService;
  let db: Database;

  beforeAll(async () => {
    fresh = await freshDatabase();
    dataDir = await temporaryDataDir();
    db = new Database({ connectionString: fresh.connectionString, max: 1, applicationName: 'test' });
    service = await startService({
      dataDir,
      env: { ...quiet, DATABASE_URL: fresh.connectionString, NODELEDGER_LOG_LEVEL: 'info' },
    });
  });
  afterAll(async () => {
    await service.stop();
    await db.close();
    await fresh.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('is called so; queries go on', async () => {
    const name = new URL(fresh.connectionString).pathname.slice(1);
    const set = async (readOnly: 'on' | 'off'): Promise<void> => {
      for (const text of [
        'SET default_transaction_read_only = off',
        `ALTER DATABASE "${name}" SET default_transaction_read_only = ${readOnly}`,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name LIKE 'nodeledger%'`,
      ]) {
        await db.query({ text, values: [] });
      }
    };
    expect((await submit(service, 'before.test', 20)).status).toBe(200);
    const from = service.output().length;
    await set('on');
    await until(async () => {
      await submit(service, 'during.test');
      return (await alerts(service)).some(({ code }) => code === 'database.read-only');
    });
    const { status, retryAfter, text } = await submit(service, 'during.test');
    expect([status, retryAfter]).toEqual([503, '5']);
    expect(text).toMatch(/PostgreSQL \(.*\) is read-only\. .*Commands are answered 503/);
    expect((await query(service)).status).toBe(200);
    await set('off');
    await untilNone(service);
    expect((await submit(service, 'after.test', 20)).status).toBe(200);
    expectToldOnce(linesSince(service, from), 'database.read-only', 'PostgreSQL (');
  }, 60_000);
});

describe('what the service does by itself', () => {
  let fresh: FreshDatabase;
  let dataDir: string;
  let db: Database;
  let service: RunningService | undefined;

  beforeEach(async () => {
    fresh = await freshDatabase();
    dataDir = await temporaryDataDir();
    db = new Database({ connectionString: fresh.connectionString, max: 1, applicationName: 'test' });
  });
  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await db.close();
    await fresh.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = async (env: Readonly<Record<string, string>>): Promise<RunningService> => {
    const shared = { ...quiet, DATABASE_URL: fresh.connectionString, NODELEDGER_LOG_LEVEL: 'info' };
    service = await startService({ dataDir, env: { ...shared, ...env } });
    return service;
  };
  /** The lines of an alert, without the lines that it still lasts. */
  const told = (service: RunningService, code: string): string[] =>
    (linesSince(service, 0) as Line[])
      .filter((line) => line.code === code && !line.msg.startsWith('Still'))
      .map(({ msg }) => msg);

  it('does not clean by a clock that differs from the database’s, until it is set right', async () => {
    const running = await start({
      NODELEDGER_GC_INTERVAL: '500ms',
      NODELEDGER_NODE_TTL: '10d',
      NODE_OPTIONS: `--require ${join(__dirname, '../support/shifted-clock.cjs')}`,
      TEST_CLOCK_AHEAD_MS: '7200000',
    });
    // Periodic cleanings round times to whole days.
    await submit(running, 'silent.test', 20, 12);
    await untilAlert(running, 'clock.skew');
    const [alert] = await alerts(running);
    expect(alert).toMatchObject({
      severity: 'error',
      message: expect.stringMatching(/process says \S+Z, the clock of the database \S+Z: they are 7\d\d\d s apart/),
      effect: expect.stringContaining('Nodes do not expire'),
      hint: expect.stringContaining('NTP'),
    });
    // The periodic cleaning may be running, which is also answered with 409.
    let refused = await clean(running);
    await until(async () => (refused = await clean(running)).text.includes('apart'));
    expect(refused.status).toBe(409);
    expect(JSON.parse(refused.text)).toEqual({
      kind: 'conflict',
      msg: expect.stringMatching(/they are 7\d\d\d s apart, and 60 s are allowed\.[^]*NTP/),
      details: null,
    });
    expect((await query(running)).text).toContain('silent.test');
    process.kill(running.pid, 'SIGUSR2');
    await untilNone(running);
    await until(async () => !(await query(running)).text.includes('silent.test'));
    await until(async () => (await clean(running)).status === 200);
    expect(told(running, 'clock.skew')).toEqual([
      expect.stringMatching(/^The clock of this process/),
      expect.stringMatching(/^Over: The clock/),
    ]);
  }, 90_000);

  it('tells once that cleaning and snapshots fail, and that they do no more', async () => {
    const running = await start({ NODELEDGER_GC_INTERVAL: '300ms', NODELEDGER_SNAPSHOT_INTERVAL: '300ms' });
    const rename = (...texts: string[]): Promise<unknown> =>
      Promise.all(texts.map((text) => db.query({ text: `ALTER TABLE ${text}`, values: [] })));
    await rename('gen_1.nodes RENAME TO elsewhere', 'nodeledger.maintenance_runs RENAME TO elsewhere');
    await untilAlert(running, 'cleaning.failing');
    await untilAlert(running, 'snapshot.failing');
    await stays(async () => (await alerts(running)).length === 2, {
      forMs: 1_500,
      everyMs: 100,
      what: 'the two alerts',
    });
    await rename('gen_1.elsewhere RENAME TO nodes', 'nodeledger.elsewhere RENAME TO maintenance_runs');
    await submit(running, 'after.test', 20);
    await untilNone(running);
    for (const code of ['cleaning.failing', 'snapshot.failing']) {
      expect(told(running, code)).toEqual([
        expect.stringMatching(/(fails|failed): relation ".*" does not exist/),
        expect.stringMatching(/^Over: /),
      ]);
    }
    expect(running.output()).not.toContain('"stack"');
  }, 120_000);
});

describeWithKafka('Kafka', () => {
  let postgres: OwnPostgres;
  let dataDir: string;
  let broker: OwnBroker;
  let service: RunningService;

  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    dataDir = await temporaryDataDir();
    broker = await startBroker();
    service = await startService({
      dataDir,
      env: {
        ...quiet,
        ...{ DATABASE_URL: postgres.connectionString, NODELEDGER_LOG_LEVEL: 'info' },
        ...{ KAFKA_BROKERS: broker.brokers.join(','), NODELEDGER_LOG_TOPIC: freshTopic() },
      },
    });
    expect((await submit(service, 'before.test', 20)).status).toBe(200);
  }, 180_000);
  afterAll(async () => {
    await service.stop();
    await broker.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('that is stopped is named once; queries go on, PostgreSQL is not blamed', async () => {
    const from = service.output().length;
    await broker.kill();
    await untilAlert(service, 'log.unavailable');
    // Longer than eleven attempts of a reader. Eleven listeners would cause a warning.
    const sent = Array.from({ length: 20 }, (_, n) => submit(service, `during-${n}.test`));
    const answers = async (): Promise<boolean> => (await query(service)).status === 200;
    await stays(answers, { forMs: 40_000, everyMs: 1_000, what: 'the answers to queries' });
    for (const { status, retryAfter, text } of await Promise.all(sent)) {
      expect([status, retryAfter]).toEqual([503, '5']);
      expect(text).toMatch(/^\{"error":"Kafka \(127\.0\.0\.1:\d+, topic test-/);
    }
    const [alert, ...others] = await alerts(service);
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      code: 'log.unavailable',
      severity: 'error',
      message: expect.stringContaining(`Kafka (${broker.brokers[0]}, topic `),
      effect: expect.stringContaining('Queries show what was projected before'),
      hint: expect.stringContaining('KAFKA_BROKERS'),
    });
    await broker.restart();
    await untilNone(service);
    await until(async () => (await submit(service, 'after.test', 20)).status === 200);
    expectToldOnce(linesSince(service, from), 'log.unavailable', 'Kafka (');
    // Neither the client of Kafka nor Node.js prints anything else.
    expect(service.output()).not.toMatch(/MaxListeners|KafkaJS|kafkajs|Warning/);
  }, 240_000);

  it('takes commands while PostgreSQL is away, and the alert says so', async () => {
    const from = service.output().length;
    await postgres.end('fast');
    await untilAlert(service, 'database.unreachable');
    expect((await submit(service, 'kept.test')).status).toBe(200);
    const { status, text } = await query(service);
    expect(status).toBe(503);
    expect(text).toMatch(/Commands are accepted and kept in Kafka/);
    expect(await alerts(service)).toMatchObject([{ code: 'database.unreachable' }]);
    await postgres.startAgain();
    await untilNone(service);
    await until(async () => (await query(service)).text.includes('kept.test'));
    expectToldOnce(linesSince(service, from), 'database.unreachable', 'PostgreSQL (');
  }, 180_000);
});
