/**
 * One command-api, two projectors and two query-apis as separate processes with one PostgreSQL, with the embedded log
 * and with Kafka. All see what one accepts, also after a projector is killed.
 */
import { rm } from 'node:fs/promises';
import { readSettings } from '#config';
import { Database } from '#database';
import { defaultLimits } from '#limits';
import { rebuild } from '#projections';
import { openCommandLog } from '../../apps/server/open-log';
import { describeWithKafka, freshTopic, kafkaBrokers } from '../support/kafka';
import { freshDatabase, type FreshDatabase } from '../support/postgres';
import { refusedStart, startService, temporaryDataDir, type RunningService, type ServiceOptions } from './service';

let fresh: FreshDatabase;
let dataDir: string;
let env: Record<string, string>;

async function submit(to: RunningService, certname: string, value: string, seconds = 0): Promise<Response> {
  const parameters = new URLSearchParams({ command: 'replace facts', version: '5', certname });
  if (seconds > 0) parameters.set('secondsToWaitForCompletion', String(seconds));
  const payload = {
    certname,
    environment: 'production',
    producer: null,
    producer_timestamp: new Date().toISOString(),
    values: { value },
  };
  return fetch(`${to.url}/pdb/cmd/v1?${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  });
}

async function position(answer: Response): Promise<string> {
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  await answer.text();
  return answer.headers.get('x-nodeledger-position') ?? '';
}

const ask = (of: RunningService, path: string, waitFor: string): Promise<Response> =>
  fetch(`${of.url}/pdb/query/v4/${path}`, { headers: { 'x-nodeledger-wait-for': waitFor } });

async function valueSeen(of: RunningService, certname: string, waitFor: string): Promise<string> {
  const answer = await ask(of, `nodes/${certname}/facts/value`, waitFor);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
  return (JSON.parse(text) as { value: string }[]).map((fact) => fact.value).join();
}

function processes(logSettings: () => Promise<Record<string, string>>): void {
  let commandApi: RunningService;
  let projectors: RunningService[];
  let queryApis: RunningService[];
  const running: RunningService[] = [];

  beforeAll(async () => {
    fresh = await freshDatabase();
    dataDir = await temporaryDataDir();
    // Long enough for a busy machine.
    env = { DATABASE_URL: fresh.connectionString, NODELEDGER_WAIT_TIMEOUT: '90s', ...(await logSettings()) };
    const start = (app: ServiceOptions['app']) => startService({ dataDir, env, app: app ?? 'server' });
    // All start at once with an empty database, so none has to be the first.
    const outcomes = await Promise.allSettled(
      (['command-api', 'projector', 'projector', 'query-api', 'query-api'] as const).map(start),
    );
    const started = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    running.push(...started);
    for (const one of outcomes) if (one.status === 'rejected') throw one.reason;
    commandApi = started[0] as RunningService;
    projectors = started.slice(1, 3);
    queryApis = started.slice(3);
  }, 120_000);
  afterAll(async () => {
    await Promise.all(running.map((one) => one.stop()));
    await fresh.drop();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  test('what the command-api has taken, both query-apis see when they are asked to wait for it', async () => {
    const seen = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const certname = `n${n}.processes.test`;
        const at = await position(await submit(commandApi, certname, 'first'));
        return Promise.all(queryApis.map((one) => valueSeen(one, certname, at)));
      }),
    );
    expect(seen.flat()).toEqual(Array(80).fill('first'));
    const again = await position(await submit(commandApi, 'n0.processes.test', 'second'));
    for (const one of queryApis) expect(await valueSeen(one, 'n0.processes.test', again)).toBe('second');
  }, 120_000);

  test('a client that waits for completion is told by a projector of another process', async () => {
    const answer = await submit(commandApi, 'waits.processes.test', 'x', 60);
    expect(await answer.json()).toMatchObject({ processed: true, timed_out: false });
  }, 90_000);

  test('each has the paths of its component; all have a status', async () => {
    const status = async (of: RunningService | undefined, path: string): Promise<number> =>
      (await fetch(`${of?.url}${path}`)).status;
    for (const one of [commandApi, ...projectors, ...queryApis]) {
      expect(await status(one, '/status/v1/simple')).toBe(200);
      expect(await status(one, '/pdb/meta/v1/version')).toBe(200);
    }
    expect(await status(commandApi, '/pdb/query/v4/nodes')).toBe(404);
    expect(await status(commandApi, '/nodeledger/v1/dead-letters')).toBe(200);
    for (const path of ['/pdb/query/v4/nodes', '/pdb/cmd/v1', '/nodeledger/v1/dead-letters']) {
      expect(await status(projectors[0], path)).toBe(404);
    }
    expect(await status(queryApis[0], '/pdb/cmd/v1')).toBe(404);
    expect(await status(queryApis[0], '/nodeledger/v1/dead-letters')).toBe(404);
  });

  test('each says at / and in answers 404 what it serves, and which processes serve the rest', async () => {
    const text = async (of: RunningService | undefined, path: string): Promise<string> =>
      (await fetch(`${of?.url}${path}`)).text();
    const [queryApi] = queryApis;
    expect(JSON.parse(await text(queryApi, '/pdb/cmd/v1'))).toEqual({
      message: 'Not Found',
      status: '404',
      url: '/pdb/cmd/v1',
      hint: expect.stringMatching(
        /^This process answers queries\. It serves \/pdb\/query,.*write \(command-api\)/,
      ) as string,
    });
    // Only the end of the path is wrong, not the process.
    expect(JSON.parse(await text(queryApi, '/pdb/query/v4/no'))).not.toHaveProperty('hint');
    const pages = {
      'accepts commands': await text(commandApi, '/'),
      'builds the tables': await text(projectors[0], '/'),
      'answers queries': await text(queryApi, '/'),
    };
    for (const [does, page] of Object.entries(pages)) expect(page).toContain(`<p>This process ${does}. It serves /`);
    const links = (page: string): string[] => [...page.matchAll(/<a href="([^"?]*)/g)].map(([, path = '']) => path);
    const ofAll = ['/docs/api', '/status/v1/services', '/metrics'];
    const sorted = (...paths: string[]): string[] => [...ofAll, ...paths].sort();
    expect(links(pages['accepts commands']).sort()).toEqual(sorted('/nodeledger/v1/dead-letters'));
    expect(links(pages['builds the tables']).sort()).toEqual(sorted());
    expect(links(pages['answers queries']).sort()).toEqual(sorted('/pdb/query/v4', '/pdb/query/v4/nodes'));
  });

  test('positions that are none are 400, those that are not reached in time 504', async () => {
    const [one] = queryApis as [RunningService];
    const bad = await ask(one, 'nodes', 'soon');
    expect([bad.status, await bad.text()]).toEqual([400, expect.stringContaining('such as 3-1207')]);
    const late = await ask(one, 'nodes?timeout=1', '0-99999999');
    expect([late.status, await late.json()]).toEqual([
      504,
      {
        error: expect.stringMatching(
          /^The tables did not reach position 0-99999999 within 1 s: the next record that they take is 0-\d+\.$/,
        ),
      },
    ]);
  });

  test('tables of another release: queries are 503, and a load balancer is told', async () => {
    const db = new Database({ connectionString: fresh.connectionString, max: 1 });
    const formIs = (form: string) =>
      db.query({
        text: `UPDATE nodeledger.generations SET projection_version = ${form} WHERE state = 'live'`,
        values: [],
      });
    const answers = async () => {
      const status = await fetch(`${queryApis[0]?.url}/status/v1/simple`);
      const query = await fetch(`${queryApis[0]?.url}/pdb/query/v4/nodes`);
      return [status.status, query.status, await query.text()];
    };
    try {
      await formIs('projection_version + 1');
      expect(await answers()).toEqual([503, 503, expect.stringContaining('Start the newer program')]);
    } finally {
      await formIs('projection_version - 1');
      await db.close();
    }
    expect(await answers()).toEqual([200, 200, expect.any(String)]);
  });

  test('other tables become live: projectors and query-apis go over to them', async () => {
    const before = await position(await submit(commandApi, 'rebuilt.test', 'before'));
    await valueSeen(queryApis[0] as RunningService, 'rebuilt.test', before);
    const db = new Database({ connectionString: fresh.connectionString, max: 8 });
    const log = await openCommandLog(readSettings([], env).settings, db);
    try {
      const { logId } = await log.open();
      const { signal } = new AbortController();
      const { switched } = await rebuild({
        db,
        log,
        logId,
        maxCommandBytes: 20_000_000,
        limits: defaultLimits,
        signal,
      });
      expect(switched).toBe(true);
    } finally {
      await log.close();
      await db.close();
    }
    for (const one of queryApis) expect(await valueSeen(one, 'rebuilt.test', before)).toBe('before');
    const after = await position(await submit(commandApi, 'rebuilt.test', 'after'));
    for (const one of queryApis) expect(await valueSeen(one, 'rebuilt.test', after)).toBe('after');
    for (const one of projectors) expect(one.output()).not.toMatch(/The projector (has )?ended/);
  }, 120_000);

  test('one projector is killed: nothing is lost, and the other projects its partitions within three seconds', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `n${n}.killed.test`);
    const positions = new Map<string, string>();
    let killedAt = 0;
    for (const [n, certname] of names.entries()) {
      positions.set(certname, await position(await submit(commandApi, certname, 'kept')));
      if (n !== 10) continue;
      killedAt = performance.now();
      await projectors[0]?.kill();
    }
    const seen = await Promise.all(
      names.map((certname, n) =>
        valueSeen(queryApis[n % 2] as RunningService, certname, positions.get(certname) ?? ''),
      ),
    );
    // The thirty nodes cover all partitions.
    expect(performance.now() - killedAt).toBeLessThan(3_000);
    expect(seen).toEqual(Array(names.length).fill('kept'));
    expect(await projectors[1]?.stop()).toBe(0);

    // The service accepts commands without a projector. The next projector applies them.
    const at = await position(await submit(commandApi, 'later.test', 'kept'));
    running.push(await startService({ dataDir, env, app: 'projector' }));
    for (const one of queryApis) expect(await valueSeen(one, 'later.test', at)).toBe('kept');
  }, 180_000);
}

describe('over the embedded log', () => processes(async () => ({})));

describeWithKafka('over Kafka', () => {
  processes(async () => {
    const brokers = await kafkaBrokers();
    if (!Array.isArray(brokers)) throw new Error(brokers.skipped);
    return { KAFKA_BROKERS: brokers.join(), NODELEDGER_LOG_TOPIC: freshTopic(), NODELEDGER_LOG_PARTITIONS: '6' };
  });
});

describe('starts that are refused', () => {
  let database: FreshDatabase;
  let folder: string;
  beforeAll(async () => {
    database = await freshDatabase();
    folder = await temporaryDataDir();
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  const url = (): Record<string, string> => ({ DATABASE_URL: database.connectionString });

  test.each([
    ['command-api', []],
    ['projector', []],
    ['query-api', []],
    ['server', ['--components', 'read,write']],
  ] as const)('%s %j without a PostgreSQL that others can use', async (app, flags) => {
    const { code, output } = await refusedStart({ dataDir: folder, app, flags });
    expect([code, output]).toEqual([1, expect.stringMatching(/needs DATABASE_URL.*\n.*npm start/)]);
  });

  test('components that do not exist', async () => {
    const { code, output } = await refusedStart({ dataDir: folder, env: url(), flags: ['--components', 'reader'] });
    expect([code, output]).toEqual([1, expect.stringContaining('expected some of write, project, read')]);
  });

  test('brokers that do not answer are named', async () => {
    const { code, output } = await refusedStart({ dataDir: folder, env: { ...url(), KAFKA_BROKERS: '127.0.0.1:1' } });
    expect([code, output]).toEqual([1, expect.stringContaining('127.0.0.1:1')]);
  }, 60_000);

  test('some components in one process: its paths are theirs', async () => {
    const service = await startService({ dataDir: folder, env: url(), flags: ['--components', 'write,project'] });
    try {
      expect(service.output()).toContain('components: write, project');
      const answer = await submit(service, 'both.test', 'x', 30);
      expect(await answer.json()).toMatchObject({ processed: true });
      expect((await fetch(`${service.url}/pdb/query/v4/nodes`)).status).toBe(404);
    } finally {
      expect(await service.stop()).toBe(0);
    }
  });

  test('a log that is not where KAFKA_BROKERS, being unset, says', async () => {
    const db = new Database({ connectionString: database.connectionString, max: 1 });
    const move = (text: string) => db.query({ text, values: [] });
    try {
      // As if the tables had been made from a log on Kafka.
      await move(`UPDATE nodeledger.positions SET log_id = '11111111-1111-4111-8111-111111111111'`);
      const { code, output } = await refusedStart({ dataDir: folder, env: url() });
      expect([code, output]).toEqual([1, expect.stringMatching(/KAFKA_BROKERS is not set.*\n.*set KAFKA_BROKERS/)]);
    } finally {
      await move(`UPDATE nodeledger.positions p SET log_id = l.log_id FROM nodeledger.log_partitions l
                  WHERE l.log_partition = p.log_partition`);
      await db.close();
    }
  });

  describeWithKafka('with Kafka', () => {
    test('an embedded log and KAFKA_BROKERS set newly: no topic is made, the way to move is named', async () => {
      const brokers = await kafkaBrokers();
      if (!Array.isArray(brokers)) throw new Error(brokers.skipped);
      const topic = freshTopic();
      const kafka = { KAFKA_BROKERS: brokers.join(), NODELEDGER_LOG_TOPIC: topic };
      const { code, output } = await refusedStart({ dataDir: folder, env: { ...url(), ...kafka } });
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(new RegExp(`embedded log .*\\n.*nodeledger log copy --to-topic ${topic}`)),
      ]);
      expect(await topics(brokers)).not.toContain(topic);
    });

    test('tables of one topic and another topic, or none, in the settings', async () => {
      const brokers = await kafkaBrokers();
      if (!Array.isArray(brokers)) throw new Error(brokers.skipped);
      const own = await freshDatabase();
      const kafka = { DATABASE_URL: own.connectionString, KAFKA_BROKERS: brokers.join() };
      const other = freshTopic();
      try {
        const service = await startService({ dataDir: folder, env: { ...kafka, NODELEDGER_LOG_TOPIC: freshTopic() } });
        expect(service.output()).toMatch(/log {5}topic \S+ on \S+/);
        expect((await submit(service, 'first.test', 'x', 30)).status).toBe(200);
        expect(await service.stop()).toBe(0);
        const elsewhere = await refusedStart({ dataDir: folder, env: { ...kafka, NODELEDGER_LOG_TOPIC: other } });
        expect([elsewhere.code, elsewhere.output]).toEqual([1, expect.stringContaining(other)]);
        expect(await topics(brokers)).not.toContain(other);
        const embedded = await refusedStart({ dataDir: folder, env: { DATABASE_URL: own.connectionString } });
        expect([embedded.code, embedded.output]).toEqual([1, expect.stringMatching(/\n.*set KAFKA_BROKERS and/)]);
      } finally {
        await own.drop();
      }
    }, 120_000);
  });
});

async function topics(brokers: string[]): Promise<string[]> {
  const { Kafka, logLevel } = await import('kafkajs');
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    return await admin.listTopics();
  } finally {
    await admin.disconnect();
  }
}
