import { randomBytes } from 'node:crypto';
import { newSigningSecret, SecretBox, SubscriptionTable } from '#changes';
import { readSettings } from '#config';
import { statement } from '#database';
import { ProjectionBench } from '../../../test/support/projection';
import { checkSubscriptions } from './check-subscriptions';
import type { Finding } from './finding';

let bench: ProjectionBench;
beforeAll(async () => {
  bench = await ProjectionBench.open(1);
});
afterAll(() => bench.close());

const check = (env: Record<string, string> = { NODELEDGER_WEBHOOK_KEY_FILE: '/key' }): Promise<Finding[]> =>
  checkSubscriptions(readSettings([], env).settings, bench.db);

it('warns about paused subscriptions, receivers that fail, and a missing key', async () => {
  expect(await check()).toEqual([]);
  const table = new SubscriptionTable(bench.db, SecretBox.parse(randomBytes(32).toString('base64'), 'key'));
  const position = { log: '0123456789abcdef', offsets: [1], times: [0] };
  for (const name of ['one', 'two'])
    await table.create({ name, url: 'https://receiver.test/', filter: {}, secret: newSigningSecret() }, position);
  expect(await check()).toMatchObject([{ level: 'ok', text: 'Changes are delivered to 2 subscriptions.' }]);
  expect(await check({})).toMatchObject([{ level: 'warning', text: expect.stringContaining('_KEY_FILE') as string }]);
  await table.pause('one');
  await bench.db.query(statement`
    UPDATE nodeledger.subscriptions SET failures = 3, failing_since = now() - interval '6 minutes', last_error = 'status 500'`);
  const [paused, failing, ...others] = await check();
  expect(paused).toMatchObject({ level: 'warning', remedy: expect.stringContaining('subscriptions resume') as string });
  expect(paused?.text).toMatch(/^Paused: one\./);
  expect(failing).toMatchObject({ level: 'warning', remedy: expect.stringContaining('deliveries NAME') as string });
  expect(failing?.text).toMatch(/^Receivers fail since 20.*: two \(status 500\)\.$/);
  expect(others).toEqual([]);
  await bench.db.query(statement`UPDATE nodeledger.subscriptions SET failing_since = now() - interval '4 minutes'`);
  expect(await check()).toHaveLength(1);
});
