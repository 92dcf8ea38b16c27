import { setTimeout as delay } from 'node:timers/promises';
import { Fault, type FaultCode } from '#fault';
import { type Alert, Alerts, openLog } from '#observe';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { Outages, type OutagesOptions } from './outages';
import { allComponents } from './components';
import { stays, until } from '../../test/support/until';

let fresh: FreshDatabase;
let alerts: Alerts;
let outages: Outages | undefined;

beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());
beforeEach(() => {
  alerts = new Alerts(openLog({ level: 'silent' }));
});
afterEach(async () => {
  await outages?.close();
  alerts.close();
});

const kafka = { brokers: ['kafka.test:9092'], topic: 'commands', partitions: 4, probe: async () => undefined };
const gone = 'postgres://user:secret@127.0.0.1:1/name';

function watch(options: Partial<OutagesOptions> = {}): Outages {
  outages = new Outages({ alerts, connectionString: fresh.connectionString, components: allComponents, ...options });
  return outages;
}
async function firstAlert(): Promise<Alert> {
  for (const deadline = performance.now() + 20_000; alerts.active().length === 0; await delay(20)) {
    if (performance.now() > deadline) throw new Error('no alert came');
  }
  return alerts.active()[0]!;
}

const coded = (code: string, message = `said with ${code}`): Error => Object.assign(new Error(message), { code });
const below = (code: FaultCode, cause: unknown): Fault => new Fault('busy', code, `this is ${code}`, { cause });
const refused = coded('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:9');

const codes = (): string =>
  alerts
    .active()
    .map(({ code }) => code)
    .join();

describe('what belongs to which', () => {
  it.each<[string, unknown, string | undefined]>([
    ['a lost connection', below('database.cut-off', coded('57P01')), 'database.cut-off'],
    [
      'an append to the log in the database',
      below('log.unavailable', below('database.unreachable', refused)),
      'database.cut-off',
    ],
    [
      'the same from a thread',
      {
        type: 'Fault',
        code: 'database.unreachable',
        message: 'x',
        cause: { type: 'Error', code: 'ECONNREFUSED', message: 'y' },
      },
      'database.cut-off',
    ],
    ['a server that starts', coded('57P03'), 'database.cut-off'],
    ['a read-only transaction', coded('25006'), 'database.cut-off'],
    ['a full disk', below('log.unavailable', coded('53100')), 'database.full'],
    [
      'a pool whose connections are all in use',
      below('database.crowded', new Error('timeout exceeded when trying to connect')),
      undefined,
    ],
    ['a statement that was cancelled', coded('57014'), undefined],
    ['a table that is missing', coded('42P01'), undefined],
    ['a fault of the client', new Fault('malformed', 'query.field', 'no such field'), undefined],
    ['something else', new Error('what?'), undefined],
    ['no error', undefined, undefined],
  ])('with the log in the database: %s', async (_, error, code) => {
    expect(watch().report(error)?.code).toBe(code);
    // The probe succeeds, because the database works. Only a full disk raises an alert without a failed probe.
    const expected = code === 'database.full' ? code : '';
    await stays(() => codes() === expected, { forMs: 500 });
  });

  it.each<[string, unknown]>([
    ['an append', below('log.unavailable', refused)],
    ['a thread that reads', { type: 'KafkaJSConnectionError', code: 'ECONNREFUSED', message: 'Connection error' }],
  ])('with the log on Kafka, of Kafka alone: %s', async (_, error) => {
    const reported = watch({ kafka }).report(error);
    expect(reported).toMatchObject({ kind: 'busy', code: 'log.unavailable' });
    expect(reported?.message).toMatch(
      /^Kafka \(kafka\.test:9092, topic commands\) is not available: .* Since \S+Z\. Commands are answered 503/,
    );
    await stays(() => codes() === 'log.unavailable', { forMs: 500 });
  });
});

describe('partitions of Kafka without a leader', () => {
  const fault = new Fault('busy', 'log.no-leader', 'partition 3 of topic commands has no leader');
  const trouble = (partitions: readonly number[]) => ({ since: Date.now(), fault, partitions });

  it('are told with what is refused and what is accepted, for as long as the log says so', async () => {
    const watched = watch({ kafka });
    expect(alerts.active()).toEqual([]);
    watched.logTrouble(trouble([3]));
    expect(alerts.active()).toMatchObject([
      {
        code: 'log.unavailable',
        message:
          'Kafka (kafka.test:9092, topic commands) does not accept all commands: partition 3 of topic commands has no leader.',
        effect:
          'Commands of the nodes in these partitions are answered 503; others are accepted. Queries show for these nodes what was projected before. The projector continues with the other partitions.',
      },
    ]);
    expect(watched.report(fault)).toMatchObject({ kind: 'busy', code: 'log.unavailable' });
    // The probe always succeeds. According to the changed clock, the quiet time is over.
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 20_000);
    await stays(() => alerts.active().length === 1, { forMs: 3_000, what: 'the alert' });
    watched.logTrouble(undefined);
    await until(() => alerts.active().length === 0, { what: 'the end of the alert' });
    clock.mockRestore();
  });

  it('are the whole log where all have none', () => {
    watch({ kafka }).logTrouble(trouble([0, 1, 2, 3]));
    expect(alerts.active()).toMatchObject([{ effect: expect.stringMatching(/^Commands are answered 503/) as string }]);
  });
});

describe('PostgreSQL that is away', () => {
  it('is named by its address, never by its password, also to who only waited for a connection', async () => {
    const watched = watch({ connectionString: gone });
    const alert = await firstAlert();
    expect(alert.message).toBe(
      'PostgreSQL (127.0.0.1:1, database name) does not answer: connect ECONNREFUSED 127.0.0.1:1.',
    );
    const reported = watched.report(below('database.crowded', new Error('timeout exceeded when trying to connect')));
    expect(reported).toMatchObject({ kind: 'busy', code: 'database.unreachable', hint: alert.hint });
    expect(reported?.message).toBe(`${alert.message} Since ${alert.since}. ${alert.effect}`);
    expect(JSON.stringify([alert, reported?.message])).not.toContain('secret');
  });

  it('or that refuses the connection, which is told so', async () => {
    const url = new URL(fresh.connectionString);
    url.pathname = '/nowhere';
    watch({ connectionString: url.href });
    expect((await firstAlert()).message).toMatch(
      /database nowhere\) refuses the connection: database "nowhere" does not/,
    );
  });

  it.each<[string, Partial<OutagesOptions>, string]>([
    [
      'everything, log in it',
      {},
      'Commands are answered 503; those that were answered 200 are safe. Queries are answered 503. The projector waits.',
    ],
    [
      'everything, log on Kafka',
      { kafka },
      'Commands are accepted and kept in Kafka; queries show them when this is over. Queries are answered 503. The projector waits.',
    ],
    [
      'commands only, log on Kafka',
      { kafka, components: new Set(['write']) },
      'Commands are accepted and kept in Kafka; queries show them when this is over.',
    ],
    ['queries only', { components: new Set(['read']) }, 'Queries are answered 503.'],
    ['projecting only', { components: new Set(['project']) }, 'The projector waits.'],
  ])('what still works, of a process that does %s', async (_, options, effect) => {
    watch({ connectionString: gone, ...options });
    expect((await firstAlert()).effect).toBe(effect);
  });
});
