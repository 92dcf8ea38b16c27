/** Tests streams of changes over HTTP, with the tables in a real PostgreSQL. */
import { setTimeout as delay } from 'node:timers/promises';
import { Generations } from '#database';
import { lifecycleCommands } from '#wire';
import { giveAgeLimits } from '../../../test/support/age-limits';
import { disorder, type Listening } from '../../../test/support/event-stream';
import { stays, until } from '../../../test/support/until';
import { withoutIntervals } from '../../../test/support/without-intervals';
import { StreamBench, type StreamBenchOptions } from '../testing/stream-bench';
import { readPosition, writePosition } from './stream-position';

let bench: StreamBench;
const start = async (options: StreamBenchOptions = {}): Promise<() => Promise<void>> => {
  bench = await StreamBench.open(options);
  return bench.project();
};
afterEach(() => bench.close());

const sent = ({ events }: Listening): string[] => events.map(({ type, subject }) => `${type} ${subject}`);
const resume = (id: string | undefined): { headers: Record<string, string> } => ({
  headers: { 'last-event-id': id ?? '' },
});
const remove = async (certname: string): Promise<void> => {
  const { command, version } = lifecycleCommands.deleteNode;
  await bench.projection.submit(command, certname, { version, payload: { certname }, receivedAt: Date.now() });
};

test('sends each change as a CloudEvent as soon as it is applied', async () => {
  await start();
  const listening = await bench.listen();
  expect([listening.status, listening.headers['content-type'], listening.headers['cache-control']]).toEqual([
    200,
    'text/event-stream',
    'no-store, no-transform',
  ]);
  await until(() => listening.lastId !== undefined);
  await withoutIntervals(async () => {
    await bench.facts('web1', 1);
    await listening.received(1);
  });
  const [event] = listening.events;
  const { projection } = bench;
  const [row] = await projection.rows<{ uuid: string }>(`SELECT uuid FROM {schema}.timeline`);
  expect(event).toEqual({
    specversion: '1.0',
    id: `${row?.uuid}/facts`,
    source: `/nodeledger/${projection.logId}`,
    type: 'nodeledger.facts',
    subject: 'web1',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    datacontenttype: 'application/json',
    data: expect.objectContaining({ id: `${row?.uuid}/facts`, certname: 'web1', kind: 'facts' }) as object,
  });
  expect(bench.failures).toEqual([]);
});

test('begins with the present, and after a disconnect with what was missed, in the order of each node', async () => {
  await start();
  await bench.facts('old', 1);
  await bench.projection.settle();
  const first = await bench.listen();
  await until(() => first.lastId !== undefined);
  await bench.facts('web1', 1);
  await first.received(1);
  first.close();
  for (let value = 2; value <= 20; value++) for (const node of ['web1', 'web2', 'web3']) await bench.facts(node, value);
  await bench.projection.settle();
  const second = await bench.listen({}, resume(first.lastId));
  const missed = await second.received(57);
  await bench.facts('web2', 21);
  await second.received(58);
  expect(missed.filter(({ subject }) => subject === 'web3')).toHaveLength(19);
  expect(disorder(second.events)).toEqual([]);
  // A client that cannot send headers sends the id in the URL.
  const third = await bench.listen({ last_event_id: second.lastId ?? '' });
  await bench.facts('web1', 22);
  await third.received(1);
  expect(sent(third)).toEqual(['nodeledger.facts web1']);
  expect(sent(first)).toEqual(['nodeledger.facts web1']);
});

test('sends the chosen kinds, nodes and environments', async () => {
  await start();
  const kinds = await bench.listen({ kind: 'deactivated,returned' });
  const nodes = await bench.listen({ certname: 'web1,db1' });
  const environments = await bench.listen({ environment: 'test' });
  const all = await bench.listen();
  for (const one of [kinds, nodes, environments, all]) await until(() => one.lastId !== undefined);
  await bench.facts('web1', 1);
  await bench.facts('web2', 1, 'test');
  await bench.deactivate('web2');
  await delay(5);
  await bench.facts('web2', 2, 'test');
  await all.received(5);
  await Promise.all([kinds.received(2), nodes.received(1), environments.received(2)]);
  expect(sent(kinds)).toEqual(['nodeledger.deactivated web2', 'nodeledger.returned web2']);
  expect(sent(nodes)).toEqual(['nodeledger.facts web1']);
  expect(sent(environments).filter((one) => one.includes('facts'))).toEqual([
    'nodeledger.facts web2',
    'nodeledger.facts web2',
  ]);
});

test('compares the query with the node, also if it is inactive, and sends each deletion', async () => {
  await start();
  await bench.facts('web1', 'web');
  await bench.facts('db1', 'db');
  await bench.projection.settle();
  const listening = await bench.listen({ query: JSON.stringify(['=', ['fact', 'value'], 'web']) });
  await until(() => listening.lastId !== undefined);
  await bench.facts('db2', 'db');
  await bench.facts('web2', 'web');
  await bench.deactivate('db1');
  await bench.deactivate('web1');
  await remove('db1');
  await listening.received(3);
  expect(sent(listening).sort()).toEqual([
    'nodeledger.deactivated web1',
    'nodeledger.facts web2',
    'nodeledger.node.deleted db1',
  ]);
  const deleted = listening.events.find(({ type }) => type === 'nodeledger.node.deleted');
  expect(deleted?.id).toMatch(/^[\da-f-]{36}\/node\.deleted$/);
  expect(bench.permits.use.running).toBe(0);
});

test('begins at a moment, and ends with the present if it does not follow', async () => {
  await start();
  await bench.facts('web1', 1);
  await bench.projection.settle();
  await delay(5);
  const moment = new Date().toISOString();
  await delay(5);
  await bench.facts('web1', 2);
  await bench.facts('web2', 1);
  await bench.projection.settle();
  const since = await bench.listen({ since: moment, follow: 'false' });
  await since.ended();
  expect(sent(since).sort()).toEqual(['nodeledger.facts web1', 'nodeledger.facts web2']);
  expect(since.comments.at(-1)).toBe('complete');
  const all = await bench.listen({ since: '2 hours ago', follow: 'false' });
  await all.ended();
  expect(all.events).toHaveLength(3);
});

test('continues when other tables become live, with the same ids', async () => {
  const stop = await start();
  const listening = await bench.listen();
  await until(() => listening.lastId !== undefined);
  for (let value = 1; value <= 5; value++) await bench.facts('web1', value);
  await listening.received(5);
  await stop();
  const next = await bench.projection.newGeneration();
  for (let value = 6; value <= 10; value++) await bench.facts('web1', value);
  await bench.projection.settle(next);
  await new Generations(bench.projection.db).switchTo(next, async () => undefined);
  await listening.received(10);
  expect(disorder(listening.events)).toEqual([]);
  const again = await bench.listen({ since: '2 hours ago', follow: 'false' });
  await again.ended();
  expect(again.events.map(({ id }) => id)).toEqual(listening.events.map(({ id }) => id));
});

test('finds the place of a position of another log by its time, and misses nothing', async () => {
  await start();
  const listening = await bench.listen();
  await until(() => listening.lastId !== undefined);
  for (let value = 1; value <= 9; value++) await bench.facts(`web${value % 3}`, value);
  await listening.received(9);
  const position = readPosition(listening.lastId ?? '');
  for (let value = 10; value <= 18; value++) await bench.facts(`web${value % 3}`, value);
  await bench.projection.settle();
  const copied = writePosition({
    ...position!,
    log: '0123456789abcdef',
    offsets: position!.offsets.map((at) => at + 7),
  });
  const again = await bench.listen({ last_event_id: copied, follow: 'false' });
  await again.ended();
  await listening.received(18);
  const ids = new Set(again.events.map(({ id }) => id));
  expect(listening.events.slice(9).filter(({ id }) => !ids.has(id))).toEqual([]);
  expect(disorder(again.events)).toEqual([]);
});

test('refuses a position before the history, and names the earliest time', async () => {
  await start({ partitions: 1 });
  const listening = await bench.listen();
  await until(() => listening.lastId !== undefined);
  const begin = listening.lastId ?? '';
  await bench.facts('web1', 1);
  await bench.facts('web1', 2);
  await listening.received(2);
  const before = new Date(Date.now() + 1_000).toISOString();
  await giveAgeLimits(bench.projection, 1, { historyBefore: before });
  await until(async () => (await bench.listen({ last_event_id: begin })).status !== 200);
  const { status, code, earliest, text } = await bench.refusal({}, { 'last-event-id': begin });
  expect([status, code]).toEqual([410, 'changes.gone']);
  expect(text).toContain(earliest ?? 'no time');
  const since = await bench.listen({ since: earliest ?? '', follow: 'false' });
  expect(since.status).toBe(200);
});

test('moves the position of a client without events', async () => {
  await start({ heartbeatMs: 30 });
  const listening = await bench.listen({ certname: 'nobody' });
  await until(() => listening.lastId !== undefined);
  const begin = listening.lastId;
  await bench.facts('web1', 1);
  await until(() => listening.lastId !== begin);
  expect(listening.comments).toContain('heartbeat');
  listening.close();
  await listening.ended();
  await bench.facts('web2', 1);
  await bench.projection.settle();
  const all = await bench.listen({ follow: 'false' }, resume(listening.lastId));
  await all.ended();
  expect(sent(all).at(-1)).toBe('nodeledger.facts web2');
});

test('a client that reads slowly from the past is not cut off', async () => {
  await start({ limits: { streamBytes: 20_000 } });
  for (let value = 1; value <= 200; value++) await bench.facts(`web${value % 7}`, `${value} ${'x'.repeat(20_000)}`);
  await bench.projection.settle();
  const slow = await bench.listen({ since: '2 hours ago' });
  const pause = setInterval(() => {
    slow.answer.pause();
    setTimeout(() => slow.answer.resume(), 20);
  }, 40);
  await slow.received(200);
  clearInterval(pause);
  expect([slow.hasEnded, bench.counts.cutOff, disorder(slow.events)]).toEqual([false, 0, []]);
}, 60_000);

test('limits the streams of one client, and refuses further ones', async () => {
  await start({ limits: { streams: 4 } });
  const [first] = [await bench.listen(), await bench.listen()];
  expect(await bench.refusal({})).toMatchObject({ status: 503, code: 'changes.crowded' });
  first.close();
  await until(() => bench.streams.count === 1);
  expect((await bench.listen()).status).toBe(200);
});

test('ends the stream of a token that was revoked, and of a session that has ended', async () => {
  await start({ checksRoles: true });
  const secret = await bench.tokens.create({ name: 'reader', roles: ['query'], expires: undefined });
  const other = await bench.tokens.create({ name: 'other', roles: ['query'], expires: undefined });
  const token = await bench.cache.find(other);
  if (typeof token === 'string') throw new Error(token);
  const session = await bench.sessions.create(token);
  const byToken = await bench.listen({}, { headers: { authorization: `Bearer ${secret}` } });
  const bySession = await bench.listen({}, { headers: { cookie: `nodeledger_session=${session}` } });
  const remaining = await bench.listen({}, { headers: { authorization: `Bearer ${other}` } });
  expect([byToken.status, bySession.status, remaining.status]).toEqual([200, 200, 200]);
  await bench.tokens.revoke('reader', { remove: false });
  await bench.sessions.remove(session);
  const began = performance.now();
  await Promise.all([byToken.ended(), bySession.ended()]);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect([byToken.isWhole, bySession.isWhole, remaining.hasEnded]).toEqual([true, true, false]);
  expect((await bench.refusal({}, { authorization: `Bearer ${secret}` })).status).toBe(401);
});

test('ends all streams when the service stops, and opens no more', async () => {
  await start();
  const streams = await Promise.all(Array.from({ length: 20 }, () => bench.listen()));
  await until(() => streams.every(({ lastId }) => lastId !== undefined));
  const began = performance.now();
  await bench.streams.close();
  await Promise.all(streams.map((one) => one.ended()));
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(streams.every(({ isWhole }) => isWhole)).toBe(true);
  expect(await bench.refusal({})).toMatchObject({ status: 503, code: 'query.stopping' });
});

test('waits for the database, and goes on', async () => {
  await start();
  const listening = await bench.listen();
  await until(() => listening.lastId !== undefined);
  const { projection } = bench;
  const renamed = (from: string, to: string): Promise<unknown> =>
    projection.rows(`ALTER TABLE {schema}.${from} RENAME TO ${to}`);
  await renamed('deleted_nodes', 'away');
  await bench.facts('web1', 1);
  await until(() => bench.failures.length > 0);
  await stays(() => !listening.hasEnded, { forMs: 300 });
  await renamed('away', 'deleted_nodes');
  await listening.received(1);
});

test.each<[Record<string, string>, string]>([
  [{ last_event_id: 'yesterday' }, 'changes.position'],
  [{ last_event_id: `0123456789abcdef:1,,2@5` }, 'changes.position'],
  [{ since: 'last week' }, 'query.as-of'],
  [{ since: '2999-01-01' }, 'query.as-of-future'],
  [{ kind: 'fact' }, 'changes.filter'],
  [{ kinds: 'facts' }, 'query.parameter'],
  [{ follow: 'yes' }, 'query.parameter'],
  [{ query: '[' }, 'query.json'],
  [{ query: '["=","nothing",1]' }, 'query.field'],
  [{ query: '["~","certname","("]' }, 'query.refused'],
])('refuses %j (%s)', async (parameters, code) => {
  await start();
  await bench.facts('web1', 1);
  await bench.projection.settle();
  expect(await bench.refusal(parameters)).toMatchObject({ status: 400, code });
});

test('refuses a URL that is longer than the limit', async () => {
  await start();
  const query = JSON.stringify(['=', 'certname', 'a'.repeat(8_192)]);
  expect(await bench.refusal({ query })).toMatchObject({ status: 413, code: 'http.limit' });
});

test('refuses streams of tables without a history', async () => {
  await start({ keepsPast: false });
  expect(await bench.refusal({})).toMatchObject({ status: 400, code: 'query.no-history' });
});
