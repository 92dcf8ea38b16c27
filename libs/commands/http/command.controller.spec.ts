import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Database } from '#database';
import { openHttp, type HttpServer, setCaller } from '#http';
import type { LogRecord } from '#log';
import { MemoryCommandLog } from '../../log/testing/memory-command-log';
import { CommandsModule } from '../commands.module';
import { Completions } from '../completions';
import { IntakeLimits } from '../intake-limits';

const maxCommandBytes = 2_000;
const path = '/pdb/cmd/v1?command=replace_facts&version=5&certname=n.example';
const payload = '{"certname":"n.example","values":{"a":1.0}}';

let log: MemoryCommandLog;
let server: HttpServer;
let base: string;

beforeAll(async () => {
  log = new MemoryCommandLog({ partitions: 2 });
  await log.open();
  // No request waits for completion, so nothing connects to this database.
  const completions = new Completions(new Database({ connectionString: 'postgres://nobody@127.0.0.1:1/none' }));
  server = await openHttp(
    CommandsModule.register({
      log,
      completions,
      limits: new IntakeLimits(maxCommandBytes),
      checksums: { policy: 'refuse' },
    }),
    {
      listeners: [{ host: '127.0.0.1', port: 0 }],
      maxBodyBytes: 4_000,
      authorize: (request) => {
        const onlyCertname = request.headers['x-only'];
        if (typeof onlyCertname === 'string') setCaller(request, { secure: true, onlyCertname });
      },
    },
  );
  base = server.urls[0] ?? '';
});
afterAll(async () => {
  await server.close();
  await log.close();
});

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}
async function submit(to: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(base + to, { method: 'POST', body: payload, ...init, headers });
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}
async function records(): Promise<LogRecord[]> {
  const reader = log.reader(new Map([0, 1].map((partition) => [partition, 1])));
  const found: LogRecord[] = [];
  const expected = [...(await log.ends()).values()].reduce((sum, end) => sum + end - 1, 0);
  while (found.length < expected) found.push(...(await reader.next({ maxRecords: 100, maxBytes: 1e6 })));
  await reader.close();
  return found;
}
async function recordOf(answer: Answer): Promise<LogRecord | undefined> {
  const { uuid } = JSON.parse(answer.text) as { uuid: string };
  return (await records()).find((record) => record.uuid === uuid);
}

test('a command is in the log, byte for byte, when its uuid is answered', async () => {
  const before = Date.now();
  const answer = await submit(path, { headers: { 'content-type': 'application/json; charset=utf-8' } });
  expect(answer).toMatchObject({ status: 200, type: expect.stringMatching(/^application\/json/) });
  expect(JSON.parse(answer.text)).toEqual({ uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  const record = await recordOf(answer);
  expect(record).toMatchObject({ command: 'replace facts', version: 5, certname: 'n.example', encoding: 'identity' });
  expect(record?.payload.toString()).toBe(payload);
  expect(record?.receivedAt).toBeGreaterThanOrEqual(before);
});

// PuppetDB accepts a command with any method.
test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s works alike', async (method) => {
  const answer = await submit(path, { method });
  expect(answer.status).toBe(200);
  expect((await recordOf(answer))?.payload.toString()).toBe(payload);
});
test('GET works without a body too', async () => {
  const response = await fetch(base + path);
  expect([response.status, Object.keys((await response.json()) as object)]).toEqual([200, ['uuid']]);
});

test('a compressed payload stays compressed', async () => {
  const packed = gzipSync(payload);
  const answer = await submit(path, { body: packed, headers: { 'content-encoding': 'gzip' } });
  const record = await recordOf(answer);
  expect([record?.encoding, record?.payload.equals(packed)]).toEqual(['gzip', true]);
});

test('what is in the payload does not matter here', async () => {
  for (const body of ['{"certname": ', '', '[]', 'null']) expect((await submit(path, { body })).status).toBe(200);
  expect((await submit(path, { headers: { 'content-encoding': 'gzip' } })).status).toBe(200);
});

test('the old body form, compressed or not', async () => {
  const body = `{"command":"replace facts","version":5,"payload":${payload}}`;
  const plain = await recordOf(await submit('/pdb/cmd/v1', { body }));
  const packed = await recordOf(
    await submit('/pdb/cmd/v1', { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } }),
  );
  for (const record of [plain, packed]) {
    expect(record).toMatchObject({ certname: 'n.example', encoding: 'identity' });
    expect(record?.payload.toString()).toBe(payload);
  }
});

test('the answer says where in the log the command stands', async () => {
  const init = (body: string) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const report = {
    host: 'n.example',
    time: '2026-01-01T00:00:00.000000000+00:00',
    resource_statuses: {},
    configuration_version: 1767225600,
    report_format: 9,
    agent_version: '5.5.1',
    status: 'unchanged',
    transaction_completed: true,
    noop: false,
    noop_pending: false,
    environment: 'production',
    master_used: 'puppet.test',
  };
  for (const [to, body] of [
    [path, payload],
    ['/pdb/cmd/v1', `{"command":"replace facts","version":5,"payload":${payload}}`],
    ['/nodeledger/v1/agent-reports', JSON.stringify(report)],
  ] as const) {
    const response = await fetch(base + to, init(body));
    const { uuid } = (await response.json()) as { uuid: string };
    const { partition, offset } = (await records()).find((one) => one.uuid === uuid) as LogRecord;
    expect([response.status, response.headers.get('x-nodeledger-position')]).toEqual([200, `${partition}-${offset}`]);
  }
  const refused = await fetch(`${base}/pdb/cmd/v1?command=none&version=1&certname=n`, init('{}'));
  expect([refused.status, refused.headers.get('x-nodeledger-position')]).toEqual([400, null]);
});

test('a checksum may be that of the command in which the terminus puts its payload', async () => {
  const whole = `{"command":"replace facts","version":5,"certname":"n.example","payload":${payload}}`;
  const checksum = createHash('sha1').update(whole).digest('hex');
  expect((await submit(`${path}&checksum=${checksum}`)).status).toBe(200);
  const packed = { body: gzipSync(payload), headers: { 'content-encoding': 'gzip' } };
  expect((await submit(`${path}&checksum=${checksum}`, packed)).status).toBe(200);
  // Tries the checksum for another certname, and for the command name as the URL spells it.
  for (const other of [whole.replace('"n.example","payload', '"other","payload'), whole.replace('e f', 'e_f')]) {
    const wrong = createHash('sha1').update(other).digest('hex');
    expect((await submit(`${path}&checksum=${wrong}`)).status).toBe(400);
  }
});

test('a checksum is held against the inflated payload', async () => {
  const sha = createHash('sha1').update(payload).digest('hex');
  expect((await submit(`${path}&checksum=${sha}`)).status).toBe(200);
  expect((await submit(`${path}&checksum=${sha.toUpperCase()}`)).status).toBe(200);
  const packed = { body: gzipSync(payload), headers: { 'content-encoding': 'gzip' } };
  expect((await submit(`${path}&checksum=${sha}`, packed)).status).toBe(200);
  const wrong = createHash('sha1').update(packed.body).digest('hex');
  for (const [checksum, init] of [
    [wrong, packed],
    [wrong, {}],
    ['', {}],
  ] as const) {
    const answer = await submit(`${path}&checksum=${checksum}`, init);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('is neither the SHA-1 of the payload')]);
  }
  const broken = { headers: { 'content-encoding': 'gzip' } };
  expect((await submit(`${path}&checksum=${sha}`, broken)).status).toBe(400);
  const inBody = `{"command":"replace facts","version":5,"checksum":"${sha}","payload":${payload}}`;
  expect((await submit('/pdb/cmd/v1', { body: inBody })).status).toBe(200);
});

test.each<[string, string, RequestInit, number, string]>([
  ['an unknown command', path.replace('facts', 'nothing'), {}, 400, 'application/json'],
  ['a media type', path, { headers: { 'content-type': 'text/plain' } }, 415, 'text/plain'],
  ['an answer as HTML', path, { headers: { accept: 'text/html' } }, 406, 'text/plain'],
  ['a coding', path, { headers: { 'content-encoding': 'br' } }, 415, 'text/plain'],
  ['a declared size', path, { headers: { 'x-uncompressed-length': '2001' } }, 413, 'text/plain'],
  ['a body above the limit', path, { body: 'x'.repeat(2001) }, 413, 'text/plain'],
  ['a body far above the limit', path, { body: 'x'.repeat(9000) }, 413, 'text/plain'],
  [
    'a body above the limit once inflated',
    path,
    { body: gzipSync('x'.repeat(2001)), headers: { 'content-encoding': 'gzip' } },
    413,
    'text/plain',
  ],
  [
    'a size, before the rest',
    path.replace('facts', 'nothing'),
    { headers: { 'x-uncompressed-length': '2001', accept: 'text/html' } },
    413,
    'text/plain',
  ],
  ['a body that is no map', '/pdb/cmd/v1', { body: '[]' }, 400, 'application/json'],
])('%s is refused', async (_what, to, init, status, type) => {
  const before = (await records()).length;
  const answer = await submit(to, init);
  expect([answer.status, answer.type.split(';')[0]]).toEqual([status, type]);
  if (type === 'application/json') expect(JSON.parse(answer.text)).toEqual({ error: expect.any(String) });
  expect((await records()).length).toBe(before);
});

test.each(['many', '-5', '1.5', '', '2000'])('X-Uncompressed-Length %j does not matter', async (length) => {
  expect((await submit(path, { headers: { 'x-uncompressed-length': length } })).status).toBe(200);
});

test('a size at the end of a gzip body that is impossible for so few bytes is ignored', async () => {
  const body = Buffer.concat([gzipSync(payload), Buffer.alloc(4, 0xff)]);
  expect((await submit(path, { body, headers: { 'content-encoding': 'gzip' } })).status).toBe(200);
});

test('a certificate with the role submit-own submits documents of its own node only', async () => {
  const submitFor = async (onlyCertname: string, to: string): Promise<number> =>
    (await submit(to, { headers: { 'x-only': onlyCertname } })).status;
  expect(await submitFor('n.example', path)).toBe(200);
  expect(await submitFor('other.example', path)).toBe(403);
  expect(await submitFor('n.example', '/pdb/cmd/v1?command=deactivate_node&version=3&certname=n.example')).toBe(403);
});

test('the refusal of an encoding quotes the beginning of a long header', async () => {
  const answer = await submit(path, { headers: { 'content-encoding': 'x'.repeat(10_000) } });
  expect(answer.status).toBe(415);
  expect(answer.text).toMatch(/^content encoding x{200}… \(10000 characters\) not supported$/);
});
