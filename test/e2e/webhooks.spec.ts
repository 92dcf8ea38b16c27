/** Tests subscriptions of running services: the command line, kills, backups, and that no secret is shown or stored in clear text. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newSigningSecret } from '#changes';
import { Database, statement } from '#database';
import { factset } from '../support/documents';
import { freshDatabase, type FreshDatabase } from '../support/postgres';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';
import { type RunningService, startService, temporaryDataDir } from './service';
import { runVerb, type VerbEnd } from './verb';

const secret = newSigningSecret();
const undo: (() => Promise<unknown>)[] = [];
let room: string;
let fresh: FreshDatabase;
let db: Database;
let settings: Record<string, string>;
let service: RunningService;
let receiver: WebhookReceiver;
let outputs = '';

const start = async (): Promise<void> => {
  service = await startService({ dataDir: room, env: settings });
};
const stop = async (end: 'stop' | 'kill'): Promise<void> => {
  await service[end]();
  outputs += service.output();
};
const verb = (...args: string[]): Promise<VerbEnd> =>
  runVerb(['subscriptions', ...args, '--url', service.url], room, { NODELEDGER_CONFIG: '' });

beforeAll(async () => {
  room = await temporaryDataDir();
  undo.push(() => rm(room, { recursive: true, force: true }));
  await writeFile(join(room, 'webhook.key'), `${randomBytes(32).toString('base64')}\n`);
  await writeFile(join(room, 'secret'), `${secret}\n`);
  fresh = await freshDatabase();
  undo.push(() => fresh.drop());
  db = new Database({ connectionString: fresh.connectionString, max: 3 });
  undo.push(() => db.close());
  receiver = await WebhookReceiver.open(secret);
  undo.push(() => receiver.close());
  settings = {
    DATABASE_URL: fresh.connectionString,
    NODELEDGER_LOG_PARTITIONS: '3',
    NODELEDGER_LOG_LEVEL: 'debug',
    NODELEDGER_WEBHOOK_KEY_FILE: join(room, 'webhook.key'),
    NODELEDGER_WEBHOOK_ALLOW: '127.0.0.1',
    NODELEDGER_WEBHOOK_HTTP_HOSTS: '127.0.0.1',
  };
  await start();
  undo.push(() => stop('stop'));
}, 120_000);

afterAll(async () => {
  for (const step of undo.reverse()) await step();
}, 60_000);

let sent = 0;
/** Submits facts that change something, and retries until they are accepted. */
async function change(certname = `n${sent % 7}.test`): Promise<void> {
  sent++;
  const producer_timestamp = new Date(Date.UTC(2026, 0, 1) + sent * 1_000).toISOString();
  const body = JSON.stringify(factset(certname, { sent, kernel: 'Linux' }, { producer_timestamp }));
  const parameters = new URLSearchParams({ command: 'replace_facts', version: '5', certname });
  await until(
    async () => {
      const answer = await fetch(`${service.url}/pdb/cmd/v1?${parameters}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }).catch(() => undefined);
      await answer?.arrayBuffer();
      return answer?.status === 200;
    },
    { everyMs: 50 },
  );
}

/** The changes in the tables, as the ids of their events. */
async function changesInTables(): Promise<Set<string>> {
  const [live] = await db.query<{ schema: string }>(
    statement`SELECT schema_name AS schema FROM nodeledger.generations WHERE state = 'live'`,
  );
  const rows = await db.query<{ id: string }>({
    text: `SELECT uuid || '/' || kind AS id FROM ${live?.schema}.timeline`,
    values: [],
  });
  return new Set(rows.map(({ id }) => id));
}

test('the command line adds, lists, shows and tests a subscription, and never shows its secret', async () => {
  expect(await verb('list', '--json')).toMatchObject({ code: 0, stdout: '{\n  "subscriptions": []\n}\n' });
  const refusals: [string, string[]][] = [
    ['not public', ['private', 'https://10.0.0.1/']],
    ['not in NODELEDGER_WEBHOOK_HTTP_HOSTS', ['plain', 'http://localhost/']],
    ['name is a text', ['a b', receiver.url]],
  ];
  for (const [reason, args] of refusals) expect((await verb('add', ...args)).stderr).toContain(reason);
  const added = await verb('add', 'all', receiver.url, '--secret-file', join(room, 'secret'));
  expect(added).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(added.stdout)).toMatchObject({ name: 'all', state: 'active', filter: {} });
  expect((await verb('add', 'all', receiver.url)).stderr).toContain('already');
  const made = await verb('add', 'made', receiver.url, '--kind', 'report', '--environment', 'production');
  expect(JSON.parse(made.stdout)).toMatchObject({
    secret: expect.stringMatching(/^whsec_/) as string,
    filter: { kinds: ['report'], environments: ['production'] },
  });
  const tested = await verb('test', 'all');
  expect(JSON.parse(tested.stdout)).toMatchObject({ delivered: true, status: 204, error: null });
  expect(receiver.messages[0]?.event).toMatchObject({ type: 'nodeledger.test', data: { subscription: 'all' } });
  expect(receiver.unsigned).toEqual([]);
  const shown = [
    await verb('list'),
    await verb('show', 'all'),
    await verb('show', 'made'),
    await verb('deliveries', 'all'),
  ];
  expect(shown.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(shown.map(({ stdout }) => stdout).join()).not.toContain('whsec');
  expect((await verb('show', 'none')).stderr).toContain('There is no subscription "none"');
  expect(await verb('remove', 'made', '--yes')).toMatchObject({ code: 0 });
  receiver.messages.length = 0;
}, 60_000);

test('a change arrives as a CloudEvent with the entry of the timeline', async () => {
  await change('web1.test');
  await until(() => receiver.accepted.length === 1);
  const [{ event } = { event: undefined }] = receiver.accepted;
  expect(event).toMatchObject({
    specversion: '1.0',
    id: expect.stringMatching(/^[0-9a-f-]{36}\/facts$/) as string,
    source: expect.stringMatching(/^\/nodeledger\/[0-9a-f-]{36}$/) as string,
    type: 'nodeledger.facts',
    subject: 'web1.test',
    data: { certname: 'web1.test', kind: 'facts', environment: 'production', added: 2 },
  });
});

test('a kill between 2xx and the cursor: the change arrives again, with its id', async () => {
  receiver.messages.length = 0;
  const holding = await db.session();
  try {
    await holding.transaction('BEGIN', async (session) => {
      // The delivery is at this message, and waits for no other lock, when the lock is taken.
      receiver.answer = async () => {
        await session.query(statement`SELECT FROM nodeledger.subscription_cursors FOR UPDATE`);
        return 204;
      };
      await change('kill.test');
      await until(() => receiver.accepted.length === 1);
      await until(
        async () =>
          (
            await db.query(statement`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'
            AND application_name = 'nodeledger webhooks' AND datname = current_database()`)
          ).length > 0,
        { what: 'a cursor that is about to move' },
      );
      await stop('kill');
      await db.query(statement`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'nodeledger webhooks' AND datname = current_database()`);
    });
  } finally {
    receiver.answer = () => 204;
    holding.close();
  }
  await start();
  await until(() => receiver.accepted.length >= 2, { what: 'the repetition' });
  expect(receiver.ids.size).toBe(1);
  expect(new Set(receiver.accepted.map(({ id }) => id)).size).toBe(1);
}, 120_000);

test('four kills of the service under load, with a receiver that fails at random: each change arrives', async () => {
  receiver.answer = () => (Math.random() < 0.2 ? 500 : 204);
  for (let round = 0; round < 4; round++) {
    for (let n = 0; n < 15; n++) await change();
    await delay(Math.random() * 600);
    await stop('kill');
    await start();
  }
  await change();
  const missing = async (): Promise<string[]> => {
    const got = receiver.ids;
    return [...(await changesInTables())].filter((id) => !got.has(id));
  };
  // The first change was delivered before the messages were forgotten.
  await until(async () => (await missing()).length <= 1, { what: 'all changes', withinMs: 120_000, everyMs: 200 });
  expect(receiver.unsigned).toEqual([]);
  expect(receiver.outOfOrder).toEqual([]);
  receiver.answer = () => 204;
}, 300_000);

test('a replay sends changes again, and pause and resume hold them back', async () => {
  const all = (await changesInTables()).size;
  receiver.messages.length = 0;
  expect(await verb('replay', 'all', '--from', '1 hour ago')).toMatchObject({ code: 0, stderr: '' });
  await until(() => receiver.ids.size === all, { what: 'all changes again' });
  expect(await verb('pause', 'all')).toMatchObject({ code: 0 });
  receiver.messages.length = 0;
  await change('paused.test');
  await delay(1_500);
  expect(receiver.messages).toEqual([]);
  expect(await verb('resume', 'all')).toMatchObject({ code: 0 });
  await until(() => receiver.accepted.length === 1);
}, 60_000);

test('a backup has the subscription with its cursor, and the secret as ciphertext; a restore without the key sends nothing', async () => {
  const backup = join(room, 'backup');
  expect(await runVerb(['backup', backup], room, settings)).toMatchObject({ code: 0 });
  const files = await readdir(backup, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile())) {
    const bytes = await readFile(join(file.parentPath, file.name));
    for (const form of [secret, secret.slice(6), Buffer.from(secret.slice(6), 'base64').toString('hex')])
      expect(bytes.includes(form)).toBe(false);
  }
  await stop('stop');
  const second = await freshDatabase();
  undo.push(() => second.drop());
  const original = settings;
  settings = { ...settings, DATABASE_URL: second.connectionString };
  const restored = await runVerb(['restore', backup], room, settings);
  expect({ code: restored.code, stderr: restored.stderr }).toMatchObject({ code: 0 });
  receiver.messages.length = 0;
  const key = settings['NODELEDGER_WEBHOOK_KEY_FILE'];
  delete settings['NODELEDGER_WEBHOOK_KEY_FILE'];
  await start();
  await change('restored.test');
  await until(async () => JSON.parse((await verb('show', 'all')).stdout).last_error?.includes('no key') === true);
  expect((await verb('add', 'other', receiver.url)).stderr).toContain('NODELEDGER_WEBHOOK_KEY_FILE');
  expect((await verb('test', 'all')).code).toBe(1);
  expect(receiver.messages).toEqual([]);
  await stop('stop');
  settings['NODELEDGER_WEBHOOK_KEY_FILE'] = key as string;
  await start();
  await until(() => receiver.accepted.some(({ event }) => event.subject === 'restored.test'));
  expect(receiver.unsigned).toEqual([]);
  settings = original;
}, 180_000);

test('metrics count attempts and show the lag; the audit log has the actions; nothing of it has the secret', async () => {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/^nodeledger_webhook_attempt_duration_seconds_count\{outcome="delivered"\} [1-9]/m);
  expect(metrics).toMatch(/^nodeledger_webhook_lag_seconds\{subscription="all"\} \d/m);
  const audit = await db.query<{ action: string; subject: string; row: string }>(
    statement`SELECT action, subject, to_jsonb(a)::text AS row FROM nodeledger.audit_log a ORDER BY id`,
  );
  const actions = new Set(audit.map(({ action, subject }) => `${action} ${subject}`));
  for (const action of ['create', 'test', 'pause', 'resume']) expect(actions).toContain(`${action} subscription all`);
  expect(actions).toContain('remove subscription made');
  expect(actions).toContain('replay subscription all from 1 hour ago');
  const said = `${outputs}${service.output()}${metrics}${audit.map(({ row }) => row).join()}`;
  expect(said).not.toContain(secret.slice(6, 24));
});
