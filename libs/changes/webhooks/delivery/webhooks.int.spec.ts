/**
 * Tests deliveries to real receivers, of changes that a projector has applied. test/e2e/webhooks.spec.ts kills whole
 * services.
 */
import { randomBytes } from 'node:crypto';
import { Database, statement } from '#database';
import { Alerts, openLog } from '#observe';
import { limitNode } from '../../../../test/support/age-limits';
import { factset } from '../../../../test/support/documents';
import { ProjectionBench } from '../../../../test/support/projection';
import { stays, until } from '../../../../test/support/until';
import { WebhookReceiver } from '../../../../test/support/webhook-receiver';
import type { ChangeFilter } from '../../filter/change-filter';
import { ChangeReader } from '../../stream/change-reader';
import { SecretBox } from '../secrets/secret-box';
import { newSigningSecret } from '../secrets/signing-secret';
import { Cursors } from '../subscriptions/cursors';
import { SubscriptionTable } from '../subscriptions/subscription-table';
import { AddressRules } from '../targets/address-rules';
import { TargetRules } from '../targets/target-rules';
import type { WebhookParts } from '../webhook-parts';
import { DeliveryLog } from './delivery-log';
import { tryReceiver } from './try-receiver';
import { Webhooks } from './webhooks';

const secret = newSigningSecret();
const key = randomBytes(32).toString('base64');
const alerts = new Alerts(openLog({ level: 'silent' }));
const closing: (() => Promise<void> | void)[] = [];
let bench: ProjectionBench;

beforeAll(async () => {
  bench = await ProjectionBench.open(4);
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await bench.db.query(statement`DELETE FROM nodeledger.subscriptions`);
});

afterAll(() => bench.close());

async function receiver(): Promise<WebhookReceiver> {
  const opened = await WebhookReceiver.open(secret);
  closing.push(() => opened.close());
  return opened;
}

/** Makes the parts that one process has. */
async function parts(keys = key): Promise<WebhookParts> {
  const db = new Database({ connectionString: bench.connectionString, max: 4, applicationName: 'webhooks of a test' });
  const reader = new ChangeReader(db);
  await reader.open();
  closing.push(async () => {
    await reader.close();
    await db.close();
  });
  const addresses = new AddressRules(['127.0.0.0/8']);
  const rules = new TargetRules({ addresses, httpHosts: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] });
  return {
    ...{ db, reader },
    table: new SubscriptionTable(db, SecretBox.parse(keys, 'key')),
    log: new DeliveryLog(db),
    sender: { rules, version: '1.0.0', timeoutMs: 10_000 },
  };
}

/** Starts the deliveries of one process. Returns the function that stops them. */
function deliver(
  own: WebhookParts,
  over: { giveUpMs?: number } = {},
): { webhooks: Webhooks; stop: () => Promise<void> } {
  const webhooks = new Webhooks({
    parts: {
      ...own,
      observer: { attempted: () => undefined },
      giveUpMs: 3_600_000,
      delays: { firstMs: 20, longestMs: 100 },
      ...over,
    },
    alerts,
    onFailure: () => undefined,
    everyMs: 50,
  });
  webhooks.start();
  const stop = (): Promise<void> => webhooks.stop();
  closing.push(stop);
  return { webhooks, stop };
}

const subscribe = async ({ table, reader }: WebhookParts, name: string, url: string, filter: ChangeFilter = {}) =>
  table.create({ name, url, filter, secret }, await reader.present());

let run = 0;
/** Submits facts for each node several times. Each submission changes something. Returns the number of changes. */
async function change(nodes: number, times = 1, prefix = 'web'): Promise<number> {
  for (let time = 0; time < times; time++) {
    run++;
    for (let node = 0; node < nodes; node++) {
      const certname = `${prefix}${node}`;
      const producer_timestamp = new Date(Date.UTC(2026, 0, 1) + run * 1_000).toISOString();
      await bench.submit('replace facts', certname, {
        payload: factset(certname, { run, kernel: 'Linux' }, { producer_timestamp }),
        receivedAt: Date.now(),
      });
    }
  }
  await bench.settle();
  return nodes * times;
}

test('a receiver that fails at random gets each change, in order for each partition', async () => {
  const to = await receiver();
  to.answer = (_, response) => {
    const chance = Math.random();
    if (chance < 0.2) return 503;
    if (chance < 0.3) return void response.destroy();
    return 204;
  };
  const own = await parts();
  await subscribe(own, 'random', to.url);
  deliver(own);
  const count = await change(20, 5);
  await until(() => to.ids.size >= count, { what: `${count} changes` });
  expect(to.ids.size).toBe(count);
  expect(to.outOfOrder).toEqual([]);
  expect(to.unsigned).toEqual([]);
  const failed = to.messages.filter(({ status }) => status !== 204);
  expect(failed.length).toBeGreaterThan(5);
  const { id } = await own.table.find('random');
  const log = await own.log.list(id, { limit: 1_000 });
  expect(log.filter(({ error }) => error === null)).toHaveLength(count);
  expect(log.filter(({ error }) => error !== null).length).toBe(failed.length);
});

test('a retry has the id and the body of the attempt before, and a new timestamp', async () => {
  const to = await receiver();
  to.answer = () => (to.messages.length < 3 ? 500 : 204);
  const own = await parts();
  await subscribe(own, 'retry', to.url);
  deliver(own);
  await change(1);
  await until(() => to.accepted.length === 1);
  expect(new Set(to.messages.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  expect(to.messages).toHaveLength(3);
});

test('two processes: one delivers, and the other goes on when the connection of its lock ends', async () => {
  const to = await receiver();
  const [one, other] = [await parts(), await parts()];
  await subscribe(one, 'twice', to.url);
  deliver(one);
  deliver(other);
  const first = await change(10);
  await until(() => to.accepted.length >= first);
  await stays(() => to.accepted.length === first, { forMs: 200, what: 'each change once' });
  for (let round = 0; round < 3; round++) {
    await bench.db.query(statement`
      SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'advisory' AND l.granted AND a.application_name = 'webhooks of a test'
        AND a.datname = current_database()`);
    const before = to.ids.size;
    const more = await change(10);
    await until(() => to.ids.size >= before + more, { what: `the changes of round ${round}` });
  }
  expect(to.outOfOrder).toEqual([]);
});

test('a stop of the process that delivers: the other one takes over', async () => {
  const to = await receiver();
  const [one, other] = [await parts(), await parts()];
  await subscribe(one, 'handed-over', to.url);
  const { stop } = deliver(one);
  deliver(other);
  const count = (await change(5)) + (await stop().then(() => change(5)));
  await until(() => to.ids.size >= count);
  expect(to.ids.size).toBe(count);
});

test('a slow receiver, and one that does not answer, delay no other', async () => {
  const [slow, dead, fast] = [await receiver(), await receiver(), await receiver()];
  const waiting: (() => void)[] = [];
  slow.answer = () => new Promise<number>((resolve) => waiting.push(() => resolve(204)));
  dead.answer = () => undefined;
  const own = await parts();
  for (const [name, to] of Object.entries({ slow, dead, fast })) await subscribe(own, name, to.url);
  const { webhooks } = deliver(own);
  const count = await change(20, 3);
  await until(() => fast.accepted.length >= count, { what: 'all changes at the fast one', withinMs: 9_000 });
  expect(slow.accepted).toHaveLength(0);
  expect(webhooks.lags().get('slow')).toBeGreaterThan(0);
  // The number of open requests is bounded.
  expect(slow.messages.length).toBeLessThanOrEqual(4);
  const answering = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 5);
  await until(() => slow.accepted.length >= count, { what: 'all changes at the slow one' });
  clearInterval(answering);
  await until(() => webhooks.lags().get('fast') === 0 && webhooks.lags().get('slow') === 0);
  expect(await own.table.find('dead')).toMatchObject({ deliveredAt: null });
});

test('a filter chooses, and the cursors pass what it leaves out', async () => {
  const to = await receiver();
  const own = await parts();
  const { id } = await subscribe(own, 'chosen', to.url, { certnames: ['web3'] });
  const { stop } = deliver(own);
  await change(6);
  await until(() => to.accepted.length === 1);
  expect(to.accepted[0]?.event.subject).toBe('web3');
  const passed = async (): Promise<number> => {
    const [row] = await bench.db.query<{ sum: number }>(
      statement`SELECT sum(next_offset)::bigint AS sum FROM nodeledger.subscription_cursors WHERE subscription = ${id}::uuid`,
    );
    return row?.sum ?? 0;
  };
  const end = [...(await bench.log.ends()).values()].reduce((sum, next) => sum + next, 0);
  await until(async () => (await passed()) === end, { what: 'cursors at the end' });
  await stop();
  expect(to.messages).toHaveLength(1);
});

test('lasting failure pauses the subscription and raises an alert; a resume delivers what waits', async () => {
  const to = await receiver();
  to.answer = () => 500;
  const own = await parts();
  await subscribe(own, 'broken', to.url);
  deliver(own, { giveUpMs: 300 });
  const count = await change(3);
  await until(async () => (await own.table.find('broken')).pause === 'failing', { what: 'a pause' });
  await until(() => alerts.active().some(({ code }) => code === 'webhooks.paused'), { what: 'an alert' });
  expect(alerts.active()[0]?.message).toContain('broken');
  const sent = to.messages.length;
  await stays(() => to.messages.length === sent, { forMs: 300, what: 'the pause' });
  expect(await own.table.find('broken')).toMatchObject({
    lastError: 'status 500',
    failures: expect.any(Number) as number,
  });
  to.answer = () => 204;
  await own.table.resume('broken');
  await until(() => to.ids.size === count);
  await until(() => alerts.active().length === 0, { what: 'the end of the alert' });
  await until(async () => (await own.table.find('broken')).failures === 0);
});

test('410 pauses at once', async () => {
  const to = await receiver();
  to.answer = () => 410;
  const own = await parts();
  await subscribe(own, 'gone', to.url);
  deliver(own);
  await change(1);
  await until(async () => (await own.table.find('gone')).pause === 'gone');
  expect(to.messages).toHaveLength(1);
});

test('a replay delivers again what was received since a time, with the same ids', async () => {
  const to = await receiver();
  const own = await parts();
  await subscribe(own, 'again', to.url);
  deliver(own);
  const count = await change(4);
  await until(() => to.accepted.length >= count);
  const time = await own.reader.at({ kind: 'relative', seconds: -3_600 }).catch(() => undefined);
  const from = time ?? { ...(await own.reader.present()), offsets: [1, 1, 1, 1] };
  await own.table.replay('again', from);
  await until(() => to.accepted.length >= 2 * count);
  const firstIds = new Set(to.accepted.slice(0, count).map(({ id }) => id));
  await until(() => to.accepted.slice(count).filter(({ id }) => firstIds.has(id)).length >= count);
});

test('a cursor does not move before the answer: a stop between 2xx and the cursor repeats the change with its id', async () => {
  const to = await receiver();
  const own = await parts();
  const { id } = await subscribe(own, 'crash', to.url);
  const first = deliver(own);
  const holding = await bench.db.session();
  await holding.transaction('BEGIN', async (session) => {
    await session.query(statement`
      SELECT FROM nodeledger.subscription_cursors WHERE subscription = ${id}::uuid FOR UPDATE`);
    await change(1);
    await until(() => to.accepted.length === 1);
    // The statement that moves the cursor waits for the lock. Its connection is closed during this wait, as in a crash.
    const stopped = first.stop();
    await until(async () => {
      const ended = await bench.db.query(statement`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'webhooks of a test' AND wait_event_type = 'Lock' AND datname = current_database()`);
      return ended.length > 0;
    });
    await stopped;
  });
  holding.close();
  deliver(await parts());
  await until(() => to.accepted.length === 2, { what: 'the repetition' });
  expect(to.ids.size).toBe(1);
  expect(to.accepted[0]?.id).toBe(to.accepted[1]?.id);
});

test('secrets are stored as ciphertext; without the key nothing is sent, and the subscription says why', async () => {
  const to = await receiver();
  const own = await parts();
  await subscribe(own, 'sealed', to.url);
  const [row] = await bench.db.query<{ secret: Buffer; row: string }>(
    statement`SELECT secret, to_jsonb(s)::text AS row FROM nodeledger.subscriptions s`,
  );
  expect(`${row?.secret.toString('latin1')} ${row?.row}`).not.toContain(secret.slice(6, 20));
  const stranger = await parts(randomBytes(32).toString('base64'));
  const { stop } = deliver(stranger);
  const count = await change(2);
  await until(async () => (await own.table.find('sealed')).lastError?.includes('another key') === true);
  // The receiver has not failed, so the time after which it is given up does not run.
  expect((await own.table.find('sealed')).failingSince).toBeNull();
  await expect(tryReceiver(await own.table.find('sealed'), stranger)).rejects.toMatchObject({
    code: 'webhooks.sealed',
  });
  await stop();
  expect(to.messages).toHaveLength(0);
  deliver(own);
  await until(() => to.ids.size === count);
});

test('a change of URL and secret takes effect at once; both secrets sign for a day', async () => {
  const [before, after] = [await receiver(), await receiver()];
  const own = await parts();
  await subscribe(own, 'moved', before.url);
  deliver(own);
  await change(1);
  await until(() => before.accepted.length === 1);
  await own.table.change('moved', { url: after.url, filter: {}, secret: newSigningSecret() });
  await change(1);
  await until(() => after.accepted.length === 1);
  expect(before.messages).toHaveLength(1);
  expect(after.messages[0]?.signatures).toHaveLength(2);
  expect(after.unsigned).toEqual([]);
});

test('in another log, a subscription goes on by time: nothing is missed, and the cursors are of that log', async () => {
  const to = await receiver();
  const own = await parts();
  const { id } = await subscribe(own, 'copied', to.url);
  const first = deliver(own);
  const before = await change(6);
  await until(() => to.ids.size === before);
  await first.stop();
  const present = await own.reader.present();
  // Changes the cursors as a copy of the log does: other offsets, and two partitions fewer.
  await bench.db.query(statement`
    UPDATE nodeledger.subscription_cursors SET log = 'other', next_offset = 1000000 WHERE subscription = ${id}::uuid`);
  await bench.db.query(statement`
    DELETE FROM nodeledger.subscription_cursors WHERE subscription = ${id}::uuid AND log_partition >= 2`);
  const more = await change(6);
  deliver(own);
  await until(() => to.ids.size >= before + more, { what: 'all changes' });
  const cursors = async (): Promise<string> => {
    const rows = await bench.db.query<{ log: string; next: number }>(statement`
      SELECT log, next_offset AS next FROM nodeledger.subscription_cursors
      WHERE subscription = ${id}::uuid ORDER BY log_partition`);
    return JSON.stringify(rows);
  };
  const ends = await bench.log.ends();
  const expected = [...ends].sort(([a], [b]) => a - b).map(([, next]) => ({ log: present.log, next }));
  await until(async () => (await cursors()) === JSON.stringify(expected), { what: 'cursors of the present log' });
});

test('changes that the history no longer has are a gap in the log of deliveries, and the others follow', async () => {
  const to = await receiver();
  const own = await parts();
  const { id } = await subscribe(own, 'late', to.url);
  await change(4);
  const { schema } = bench.generation;
  // Changes the tables as after a pause that was longer than the history.
  for (const text of [
    `UPDATE ${schema}.history_starts s SET next_offset = p.next_offset FROM nodeledger.positions p
     WHERE p.generation = ${bench.generation.generation} AND p.log_partition = s.log_partition`,
    `DELETE FROM ${schema}.history_times`,
    `INSERT INTO ${schema}.history_times SELECT log_partition, now(), next_offset FROM ${schema}.history_starts`,
  ])
    await bench.db.query({ text, values: [] });
  deliver(own);
  await until(async () => (await own.log.list(id, { limit: 10 })).some(({ type }) => type === 'nodeledger.gap'));
  const count = await change(4);
  await until(() => to.ids.size >= count, { what: 'the changes after the gap' });
  expect(to.messages.filter(({ event }) => event.type === 'nodeledger.gap')).toEqual([]);
});

test('a gap in one partition: the changes of the others are delivered from their cursors on', async () => {
  const to = await receiver();
  const own = await parts();
  const { id } = await subscribe(own, 'partly', to.url);
  const { offsets } = await own.reader.present();
  await change(8);
  const ends = (await own.reader.present()).offsets;
  const lost = offsets.findIndex((offset, partition) => offset < ends[partition]!);
  const count = ends.reduce((sum, end, at) => sum + (at === lost ? 0 : end - offsets[at]!), 0);
  const { schema } = bench.generation;
  // Each partition's history begins at another time, as if age limits were applied to one partition after another.
  await bench.db.query({
    text: `UPDATE ${schema}.history_starts SET next_offset = $1 WHERE log_partition = $2`,
    values: [ends[lost], lost],
  });
  deliver(own);
  await until(() => to.ids.size >= count, { what: 'the changes of the other partitions' });
  expect(to.accepted.filter(({ event }) => event.data.position?.partition === lost)).toEqual([]);
  const gaps = (await own.log.list(id, { limit: 100 })).filter(({ type }) => type === 'nodeledger.gap');
  expect(gaps).toHaveLength(1);
});

test('cursors never go back, except to a replay', async () => {
  const own = await parts();
  const made = await subscribe(own, 'never back', 'http://127.0.0.1:9/');
  const later = await own.reader.present();
  const earlier = { ...later, offsets: later.offsets.map((offset) => offset - 1) };
  const cursors = new Cursors(own.db, made);
  expect(await cursors.save(earlier)).toBe(true);
  expect((await cursors.read())?.offsets).toEqual(later.offsets);
  const replayed = await own.table.replay('never back', earlier);
  expect((await new Cursors(own.db, replayed).read())?.offsets).toEqual(earlier.offsets);
  const copied = { ...earlier, log: 'copied' };
  expect(await new Cursors(own.db, replayed).save(copied)).toBe(true);
  expect(await new Cursors(own.db, replayed).read()).toMatchObject({ log: 'copied', offsets: earlier.offsets });
});

test('the log of deliveries is bounded', async () => {
  const own = await parts();
  const { id } = await subscribe(own, 'log', 'http://127.0.0.1:9/');
  await bench.db.query(statement`
    INSERT INTO nodeledger.deliveries (subscription, event, type, ms, at)
    SELECT ${id}::uuid, n::text, 'nodeledger.facts', 1, now() - (CASE WHEN n > 1190 THEN 8 ELSE 0 END) * interval '1 day'
    FROM generate_series(1, 1200) n`);
  await own.log.clean();
  const kept = await own.log.list(id, { limit: 2_000 });
  expect(kept.map(({ event }) => Number(event)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 990 }, (_, index) => index + 201),
  );
});

test('a success and a change of the subscription at the same moment wait for each other', async () => {
  const own = await parts();
  const { id, revision } = await subscribe(own, 'both', (await receiver()).url);
  const sent = { event: 'e1/facts', type: 'nodeledger.facts', certname: 'web0' };
  const { log } = await own.reader.present();
  const passed = { log, partition: 0, nextOffset: 1_000, receivedAt: new Date().toISOString() };
  let success: Promise<boolean> | undefined;
  await bench.db.transaction(async (session) => {
    await session.query(statement`SELECT FROM nodeledger.subscriptions WHERE id = ${id}::uuid FOR UPDATE`);
    success = own.log.addPassed({ id, revision }, sent, { status: 204, ms: 1 }, passed);
    await until(
      async () =>
        (await bench.db.query(statement`SELECT FROM pg_locks WHERE NOT granted AND database IS NULL LIMIT 1`)).length >
        0,
    );
    await session.query(statement`
      UPDATE nodeledger.subscription_cursors SET revision = revision + 1 WHERE subscription = ${id}::uuid`);
  });
  // The subscription was changed before the success was recorded, so the cursor stays.
  expect(await success).toBe(false);
});

test('a filter by certname has the changes of a node that was purged before their delivery', async () => {
  const [to, own] = [await receiver(), await parts()];
  await change(1, 1, 'purged');
  const begin = await own.reader.present();
  await change(1, 1, 'purged');
  const certname = 'purged0';
  const payload = { certname, producer_timestamp: '2026-02-01T00:00:00.000Z' };
  await bench.submit('deactivate node', certname, { payload, receivedAt: Date.now() });
  await limitNode(bench, certname, { purge: { cutoff: new Date(Date.now() + 60_000).toISOString(), most: 1 } });
  await bench.settle();
  expect(await bench.rows('SELECT FROM {schema}.nodes WHERE certname = $1', [certname])).toEqual([]);
  await own.table.create({ name: 'purged', url: to.url, filter: { certnames: [certname] }, secret }, begin);
  deliver(own);
  await until(() => to.messages.length >= 2);
  expect(to.messages.map(({ event }) => event.subject)).toEqual([certname, certname]);
});

test.each(['nobody', 'a\0b'])('there is no subscription %j', async (name) => {
  const { table } = await parts();
  const missing = { code: 'webhooks.missing' };
  await expect(table.find(name)).rejects.toMatchObject(missing);
  await expect(table.pause(name)).rejects.toMatchObject(missing);
  await expect(table.remove(name)).rejects.toMatchObject(missing);
});
