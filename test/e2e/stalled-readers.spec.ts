/**
 * Clients request large answers and do not read them. Tests that other clients get answers, that the statements end,
 * and that the memory of the service stays bounded.
 */
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Database } from '#database';
import { event, report } from '../support/documents';
import { freshDatabase, type FreshDatabase } from '../support/postgres';
import { type MemoryField, processMegabytes } from '../support/process-memory';
import { startService, temporaryDataDir, type RunningService } from './service';
import { stays, until } from '../support/until';

let fresh: FreshDatabase;
let dataDir: string;
let db: Database;
let service: RunningService | undefined;
const sockets: Socket[] = [];
const nodes = 24;
const factBytes = 1_500_000;

const facts = (certname: string): object => ({
  certname,
  environment: 'production',
  producer: null,
  producer_timestamp: '2026-01-01T00:00:00.000Z',
  values: { wide: 'x'.repeat(factBytes), small: certname },
});

/** For each part there is a report in which it is larger than the buffers of a connection. */
const partBytes = 12_000_000;
const long = 'x'.repeat(partBytes / 1_000);
const list = <T>(make: (n: number) => T): T[] => Array.from({ length: 1_000 }, (_, n) => make(n));
const time = '2026-01-01T00:00:00.000Z';
const log = { file: null, line: null, level: 'info', message: long, source: 's', tags: [], time };
const parts = {
  events: (certname: string) =>
    report(
      certname,
      list((n) => event(`p${n}`, { new_value: long })),
    ),
  logs: (certname: string) => report(certname, [], { logs: list(() => log) }),
  metrics: (certname: string) =>
    report(certname, [], { metrics: list((n) => ({ category: 'time', name: `${n}${long}`, value: n })) }),
};

async function submit(to: RunningService, command: string, version: string, document: object): Promise<string> {
  const { certname } = document as { certname: string };
  const parameters = new URLSearchParams({ command, version, certname });
  const answer = await fetch(`${to.url}/pdb/cmd/v1?${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document),
  });
  expect(answer.status).toBe(200);
  await answer.text();
  return answer.headers.get('x-nodeledger-position') ?? '';
}

beforeAll(async () => {
  fresh = await freshDatabase();
  db = new Database({ connectionString: fresh.connectionString, max: 2 });
  dataDir = await temporaryDataDir();
  const env = { DATABASE_URL: fresh.connectionString, NODELEDGER_WAIT_TIMEOUT: '90s' };
  const filling = await startService({ dataDir, env });
  try {
    const positions: string[] = [];
    for (let n = 0; n < nodes; n++)
      positions.push(await submit(filling, 'replace facts', '5', facts(`n${n}.stalled.test`)));
    for (const [part, made] of Object.entries(parts))
      positions.push(await submit(filling, 'store report', '8', made(`${part}.stalled.test`)));
    const headers = { 'x-nodeledger-wait-for': positions.join() };
    expect(await (await fetch(`${filling.url}/pdb/query/v4/nodes`, { headers })).json()).toHaveLength(
      nodes + Object.keys(parts).length,
    );
  } finally {
    await filling.stop();
  }
}, 150_000);
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service?.stop();
  service = undefined;
}, 60_000);
afterAll(async () => {
  await db.close();
  await fresh.drop();
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

async function start(env: Record<string, string> = {}): Promise<RunningService> {
  service = await startService({
    dataDir,
    app: 'query-api',
    env: { DATABASE_URL: fresh.connectionString, NODELEDGER_LOG_LEVEL: 'debug', ...env },
  });
  return service;
}

const running = (): RunningService => {
  if (service === undefined) throw new Error('no service runs');
  return service;
};

/** Sends a request from that loopback address and reads nothing of the answer. A body is sent by POST. */
async function stall(path: string, from: string, body?: string): Promise<Socket> {
  const { hostname, port } = new URL(running().url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.pause();
  const head = `${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`;
  const type = 'content-type: application/json';
  socket.write(
    body === undefined
      ? `GET ${head}\r\n`
      : `POST ${head}${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return socket;
}

/** Returns a whole answer, and its duration. */
function ask(path: string, from: string): Promise<{ status: number; text: string; ms: number }> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    request(running().url + path, { localAddress: from, agent: false }, (message) => {
      let text = '';
      message.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      message.on('error', reject);
      message.on('end', () => resolve({ status: message.statusCode ?? 0, text, ms: performance.now() - start }));
    })
      .on('error', reject)
      .end();
  });
}

const busyReaders = async (): Promise<number> => {
  const [row] = await db.query<{ n: number }>({
    text: `SELECT count(*)::int AS n FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'nodeledger read' AND state <> 'idle'`,
    values: [],
  });
  return row?.n ?? 0;
};

const resident = (field: MemoryField): number => processMegabytes(running().pid, field);

const failures = (code: string): number => running().output().split(`"code":"${code}"`).length - 1;
const wide = '/pdb/query/v4/facts/wide';

test('ten readers that stall: probes answer, another client is answered, the deadline ends their statements', async () => {
  await start();
  // The first request opens a connection. Load balancers send requests all the time.
  const quiet = await ask('/status/v1/simple', '127.0.0.50');
  const stalledAt = performance.now();
  for (let n = 0; n < 10; n++) await stall(`${wide}?timeout=8`, `127.0.0.${n + 2}`);
  await until(async () => (await busyReaders()) === 10, { what: 'all of them run', withinMs: 5_000 });
  const probe = await ask('/status/v1/simple', '127.0.0.50');
  expect([probe.status, probe.text]).toEqual([200, 'running']);
  // On a machine with other work, everything takes longer.
  expect(probe.ms).toBeLessThan(2_000 + quiet.ms);
  const other = await ask('/pdb/query/v4/facts/small', '127.0.0.50');
  expect([other.status, (JSON.parse(other.text) as unknown[]).length]).toEqual([200, nodes]);
  expect(performance.now() - stalledAt).toBeLessThan(8_000);
  // One of them was ended: as a stalled reader, or from a place that is reserved for short queries.
  expect(failures('query.stalled') + failures('query.crowded')).toBe(1);
  // The others delay nobody and stay until their deadline.
  await until(async () => (await busyReaders()) === 9, { what: 'nine of them go on', withinMs: 2_000 });
  await until(async () => (await busyReaders()) === 0, { what: 'their statements end', withinMs: 11_000 });
  await until(() => failures('query.timeout') === 9, { what: 'the log says so', withinMs: 5_000 });
  // Their connections are closed, so their answers are incomplete.
  for (const socket of sockets) socket.resume();
  await until(() => sockets.every(({ closed }) => closed), { what: 'their connections are closed', withinMs: 5_000 });
}, 60_000);

test('NODELEDGER_QUERY_TIMEOUT is the longest any query may take, whatever it asks for', async () => {
  await start({ NODELEDGER_QUERY_TIMEOUT: '2s' });
  for (const timeout of ['6', '2147484', '999999999']) {
    const healthy = await ask(`/pdb/query/v4/facts/small?timeout=${timeout}`, '127.0.0.1');
    expect([timeout, healthy.status]).toEqual([timeout, 200]);
  }
  await stall(`${wide}?timeout=2147484`, '127.0.0.2');
  await until(async () => (await busyReaders()) === 1, { what: 'it runs', withinMs: 2_000 });
  await until(async () => (await busyReaders()) === 0, { what: 'it ends', withinMs: 4_000 });
  // PostgreSQL ends the statement before the service writes its log line.
  await until(() => failures('query.timeout') === 1, { what: 'the log says so', withinMs: 5_000 });
}, 60_000);

test('more than the queue takes are told to come back, with the setting that counts', async () => {
  await start({ NODELEDGER_MAX_QUERIES: '2', NODELEDGER_MAX_QUERIES_PER_CLIENT: '1' });
  await stall(wide, '127.0.0.2');
  // The query waits for the only place of the client until this reader ends.
  const blocking = await stall(wide, '127.0.0.3');
  await until(async () => (await busyReaders()) === 2, { what: 'they run', withinMs: 2_000 });
  const asked = Array.from({ length: 25 }, () => ask('/pdb/query/v4/facts/small?timeout=30', '127.0.0.3'));
  await until(() => failures('query.crowded') > 0, { what: 'some are refused', withinMs: 10_000 });
  blocking.destroy();
  const answers = await Promise.all(asked);
  const crowded = answers.filter(({ status }) => status === 503);
  expect(crowded.length).toBeGreaterThan(0);
  expect(crowded[0]?.text).toMatch(/NODELEDGER_MAX_QUERIES/);
  expect(answers.filter(({ status }) => status === 200).length).toBe(25 - crowded.length);
  expect(failures('query.crowded')).toBe(crowded.length);
}, 60_000);

test('memory stays flat with wide rows, many queries and readers that stall', async () => {
  await start({
    NODELEDGER_READ_POOL_SIZE: '20',
    NODELEDGER_MAX_QUERIES_PER_CLIENT: '20',
    // 128 MB is enough for twenty rows and their buffers. Without a limit, the peak depends on when V8 collects
    // garbage.
    NODE_OPTIONS: '--max-old-space-size=128',
  });
  await ask('/pdb/query/v4/facts/small', '127.0.0.1');
  const quiet = resident('VmRSS');
  for (let n = 0; n < 12; n++) await stall(wide, '127.0.0.2');
  await until(async () => (await busyReaders()) === 12, { what: 'they run', withinMs: 10_000 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(wide, '127.0.0.3')));
  for (const { status, text } of answers) {
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(nodes * factBytes);
  }
  // Rows of 1.5 MB, 36 MB for each answer, twenty at once: 720 MB in all.
  await stays(() => resident('VmHWM') - quiet < 250, { what: 'the memory below the limit', forMs: 1_000 });
}, 120_000);

/** Besides lists of rows: parts of reports, and a request that only returns its query. */
const others: readonly [string, () => Promise<{ path: string; body?: string }>][] = [
  ...Object.keys(parts).map((part): [string, () => Promise<{ path: string }>] => [
    `the ${part} of a report`,
    async () => {
      const [found] = JSON.parse(
        (
          await ask(
            `/pdb/query/v4?query=${encodeURIComponent(`reports[hash] { certname = "${part}.stalled.test" }`)}`,
            '127.0.0.1',
          )
        ).text,
      ) as { hash: string }[];
      return { path: `/pdb/query/v4/reports/${found?.hash}/${part}?timeout=6` };
    },
  ]),
  [
    'ast_only',
    () =>
      Promise.resolve({
        path: '/pdb/query/v4',
        body: JSON.stringify({
          query: `["from","nodes",["=","certname","${'中'.repeat(3_500_000)}"]]`,
          ast_only: true,
          timeout: 6,
        }),
      }),
  ],
];
test.each(others)(
  '%s: readers that stall leave room for others, and end at the deadline',
  async (_, asked) => {
    await start({
      NODELEDGER_READ_POOL_SIZE: '10',
      NODELEDGER_MAX_QUERY_BODY: '20000000',
    });
    const { path, body } = await asked();
    const quiet = resident('VmRSS');
    for (let n = 0; n < 10; n++) await stall(path, `127.0.0.${n + 2}`, body);
    const other = await ask('/pdb/query/v4/facts/small', '127.0.0.50');
    expect([other.status, (JSON.parse(other.text) as unknown[]).length]).toEqual([200, nodes]);
    const ended = (): number =>
      ['query.timeout', 'query.stalled', 'query.crowded'].reduce((sum, code) => sum + failures(code), 0);
    await until(() => ended() === 10, { what: 'all of them end', withinMs: 20_000 });
    await until(async () => (await busyReaders()) === 0, { what: 'their statements end', withinMs: 3_000 });
    // Bodies are kept until the end of their answer. Their bytes have a separate limit.
    const megabytesOfBodies = (10 * Buffer.byteLength(body ?? '')) / 1e6;
    expect(resident('VmHWM') - quiet).toBeLessThan(350 + megabytesOfBodies);
    for (const socket of sockets) socket.resume();
    await until(() => sockets.every(({ closed }) => closed), { what: 'their connections are closed', withinMs: 5_000 });
  },
  90_000,
);

test('a service that stops lets queries under way finish and refuses those that wait', async () => {
  await start({ NODELEDGER_MAX_QUERIES: '1' });
  await stall(wide, '127.0.0.2');
  await until(async () => (await busyReaders()) === 1, { what: 'it runs', withinMs: 2_000 });
  // The client reads slowly, so the answer is under way when the service is stopped.
  const [socket] = sockets;
  let received = 0;
  socket?.on('data', (bytes: Buffer) => {
    received += bytes.length;
    socket.pause();
    setTimeout(() => socket.resume(), 1);
  });
  socket?.resume();
  const ended = new Promise((resolve) => socket?.once('end', resolve));
  const waiting = ask('/pdb/query/v4/facts/small', '127.0.0.3');
  await until(async () => (await ask('/metrics', '127.0.0.4')).text.includes('query_places{state="waiting"} 1.0'));
  const stopped = running().stop();
  expect(await waiting).toMatchObject({ status: 503, text: expect.stringContaining('stopping') as string });
  await ended;
  expect(received).toBeGreaterThan(nodes * factBytes);
  expect(await stopped).toBe(0);
}, 60_000);
