/**
 * Tests the whole service as a process: commands in both forms, wrong submissions and queries, a restart, a second
 * start with the same data.
 */
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { refusedStart, startService, temporaryDataDir, type RunningService } from './service';
import { askQuery } from '../support/ask-query';
import { until } from '../support/until';

const certname = 'web1.submit.test';
const time = '2024-05-05T05:05:05.000Z';
const facts = {
  certname,
  environment: 'production',
  producer: 'server.submit.test',
  producer_timestamp: time,
  values: { role: 'web', cores: 4, load: 1.0 },
};
const catalog = {
  certname,
  environment: 'production',
  producer: 'server.submit.test',
  producer_timestamp: time,
  version: '17',
  transaction_uuid: null,
  catalog_uuid: null,
  code_id: null,
  job_id: null,
  resources: [
    {
      type: 'File',
      title: '/a',
      exported: false,
      file: null,
      line: null,
      tags: ['file'],
      parameters: { mode: '0644' },
    },
  ],
  edges: [],
};
const report = {
  certname,
  environment: 'production',
  producer: 'server.submit.test',
  producer_timestamp: time,
  puppet_version: '8.0.0',
  report_format: 12,
  configuration_version: '17',
  start_time: time,
  end_time: time,
  transaction_uuid: null,
  catalog_uuid: null,
  code_id: null,
  job_id: null,
  cached_catalog_status: 'not_used',
  status: 'unchanged',
  noop: false,
  noop_pending: false,
  corrective_change: false,
  logs: [],
  metrics: [],
  resources: [],
};

let dataDir: string;
let service: RunningService;

beforeAll(async () => {
  dataDir = await temporaryDataDir();
  service = await startService({ dataDir, env: { NODELEDGER_DIALECT: 'puppetdb' } });
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}
async function request(path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(service.url + path, { ...init, headers });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: text };
  }
}
const post = (path: string, body: RequestInit['body'], headers: Record<string, string> = {}): Promise<Answer> =>
  request(path, { method: 'POST', body: body ?? null, headers });

/** Announces a body, sends its first bytes, and reads the answer, which must come at once. */
function startOfBody(to: string, length: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': length };
    const sending = httpRequest(service.url + to, { method: 'POST', headers }, (message) => {
      resolve({ status: message.statusCode ?? 0, body: undefined });
      sending.destroy();
    });
    sending.on('error', reject);
    sending.write('{');
  });
}

function path(command: string, version: number, more: Record<string, string> = {}): string {
  return `/pdb/cmd/v1?${new URLSearchParams({ command, version: String(version), certname, ...more })}`;
}
const wait = { secondsToWaitForCompletion: '20' };
const processed = { status: 200, body: { uuid: expect.any(String), processed: true, timed_out: false } };

const mine = ['=', 'certname', certname];

describe('commands', () => {
  test('facts, catalog and report by parameters, waited for, can be queried', async () => {
    expect(await post(path('replace_facts', 5, wait), JSON.stringify(facts))).toEqual(processed);
    expect(await post(path('replace catalog', 9, wait), JSON.stringify(catalog))).toEqual(processed);
    const packed = gzipSync(JSON.stringify(report));
    const length = String(JSON.stringify(report).length);
    const checksum = createHash('sha1').update(JSON.stringify(report)).digest('hex');
    const coded = { 'content-encoding': 'gzip', 'x-uncompressed-length': length };
    expect(await post(path('store_report', 8, { ...wait, checksum }), packed, coded)).toEqual(processed);

    const values = Object.fromEntries((await askQuery(service, 'facts', mine)).map(({ name, value }) => [name, value]));
    expect(values).toEqual(facts.values);
    expect(await askQuery(service, 'resources', mine)).toMatchObject([
      { type: 'File', title: '/a', parameters: { mode: '0644' } },
    ]);
    expect(await askQuery(service, 'reports', mine)).toMatchObject([
      { certname, status: 'unchanged', puppet_version: '8.0.0' },
    ]);
    expect(await askQuery(service, 'nodes', mine)).toMatchObject([
      { certname, deactivated: null, latest_report_status: 'unchanged' },
    ]);
  });

  test('a wrong checksum is accepted', async () => {
    const other = 'checksum.e2e.test';
    const to = path('replace_facts', 5, { ...wait, certname: other, checksum: '0'.repeat(40) });
    expect(await post(to, JSON.stringify({ ...facts, certname: other }))).toEqual(processed);
  });

  test('the old body form; a deactivated node leaves the list', async () => {
    const old = (command: string, version: number, payload: object): Promise<Answer> =>
      post('/pdb/cmd/v1', JSON.stringify({ command, version, payload }));
    const other = 'old.submit.test';
    const uuid = { status: 200, body: { uuid: expect.any(String) } };
    expect(await old('replace facts', 5, { ...facts, certname: other })).toEqual(uuid);
    // The commands of one certname are applied in their order, and this one is the last.
    const end = { certname: other, producer_timestamp: '2024-06-06T00:00:00.000Z' };
    const parameters = new URLSearchParams({ command: 'deactivate node', version: '3', certname: other, ...wait });
    expect(await old('deactivate node', 3, end)).toEqual(uuid);
    expect(await post(`/pdb/cmd/v1?${parameters}`, JSON.stringify(end))).toEqual(processed);
    expect((await askQuery(service, 'nodes', ['~', 'certname', 'submit'])).map((node) => node['certname'])).toEqual([
      certname,
    ]);
    const gone = await request(`/pdb/query/v4/nodes/${other}`);
    expect(gone.body).toMatchObject({ certname: other, deactivated: '2024-06-06T00:00:00.000Z' });
  });

  test('who waits for a command that cannot be applied is told at once, and why', async () => {
    const before = performance.now();
    const answer = await post(path('replace_facts', 5, wait), '{"certname": ');
    expect(answer).toEqual({
      status: 503,
      body: {
        uuid: expect.any(String),
        processed: true,
        timed_out: false,
        error: expect.any(String),
        exception: expect.any(String),
      },
    });
    expect(performance.now() - before).toBeLessThan(5_000);
    const foreign = await post(
      path('replace_facts', 5, wait),
      JSON.stringify({ ...facts, certname: 'other.submit.test' }),
    );
    expect(foreign).toMatchObject({ status: 503, body: { processed: true, timed_out: false } });
    const future = await post(path('replace_facts', 6, wait), JSON.stringify(facts));
    expect(future).toMatchObject({ status: 503, body: { processed: true, timed_out: false } });
  });

  const good = JSON.stringify(facts);
  test.each<[string, () => Promise<Answer>, number]>([
    ['an unknown command', () => post(path('drop_tables', 1), good), 400],
    ['a retired version', () => post(path('replace_facts', 3), good), 400],
    ['a version that is no number', () => post(path('replace_facts', 5).replace('version=5', 'version=x'), good), 400],
    ['no certname', () => post('/pdb/cmd/v1?command=replace_facts&version=5', good), 400],
    ['an unknown parameter', () => post(path('replace_facts', 5, { colour: 'red' }), good), 400],
    ['a wait that is no number', () => post(path('replace_facts', 5, { secondsToWaitForCompletion: 'x' }), good), 400],
    ['NUL in the certname', () => post(path('replace_facts', 5, { certname: 'a\0b' }), good), 400],
    ['an old form that is no JSON', () => post('/pdb/cmd/v1', '{x'), 400],
    ['an old form without payload', () => post('/pdb/cmd/v1', '{"command":"replace facts","version":5}'), 400],
    ['a text', () => post(path('replace_facts', 5), good, { 'content-type': 'text/plain' }), 415],
    ['an unknown coding', () => post(path('replace_facts', 5), good, { 'content-encoding': 'br' }), 415],
    ['an answer as HTML', () => post(path('replace_facts', 5), good, { accept: 'text/html' }), 406],
    ['a declared size', () => post(path('replace_facts', 5), good, { 'x-uncompressed-length': '20000001' }), 413],
    ['too large a body', () => startOfBody(path('replace_facts', 5), 20_100_000), 413],
  ])('%s is refused', async (_what, send, status) => {
    expect((await send()).status).toBe(status);
    expect((await request('/status/v1/simple')).body).toBe('running');
  });
});

describe('queries', () => {
  const asked = (entity: string, query: string): string =>
    `/pdb/query/v4${entity === '' ? '' : `/${entity}`}?${new URLSearchParams({ query })}`;
  test.each([
    ['no JSON', asked('nodes', '["=","certname"'), 400],
    ['an unknown operator', asked('nodes', '["?","certname","x"]'), 400],
    ['an unknown field', asked('nodes', '["=","colour","x"]'), 400],
    ['too few arguments', asked('facts', '["=","name"]'), 400],
    ['a wrong regular expression', asked('nodes', '["~","certname","("]'), 400],
    ['an unknown parameter', '/pdb/query/v4/nodes?colour=red', 400],
    ['a limit of zero', '/pdb/query/v4/nodes?limit=0', 400],
    ['an order that is no list', '/pdb/query/v4/nodes?order_by=certname', 400],
    ['PQL that ends too early', asked('', 'nodes[certname] {'), 400],
    ['an unknown entity', asked('', 'dragons {}'), 400],
    ['a quote that wants out', asked('nodes', `["=","certname'; DROP TABLE nodes; --","x"]`), 400],
    ['an unknown node', '/pdb/query/v4/nodes/nobody.submit.test', 404],
  ])('%s is refused', async (_what, to, status) => {
    expect((await request(to)).status).toBe(status);
    expect((await request('/status/v1/simple')).body).toBe('running');
  });
});

test('the service says what it is and how it is', async () => {
  expect(await request('/pdb/meta/v1/version')).toEqual({ status: 200, body: { version: '8.4.1' } });
  expect(await request('/pdb/meta/v1/version?x=1')).toEqual({ status: 400, body: "Unsupported query parameter 'x'" });
  const { server_time } = (await request('/pdb/meta/v1/server-time')).body as { server_time: string };
  expect(Math.abs(Date.parse(server_time) - Date.now())).toBeLessThan(10_000);
  const status = {
    state: 'running',
    status: { 'maintenance_mode?': false, queue_depth: 0, 'read_db_up?': true, 'write_db_up?': true },
  };
  expect(await request('/status/v1/services/puppetdb-status')).toMatchObject({ status: 200, body: status });
  expect((await request('/status/v1/services')).body).toMatchObject({ 'puppetdb-status': status });
  expect((await request('/status/v1/services/nothing')).status).toBe(404);
  expect((await request('/status/v1/services/status-service?level=debug')).body).toMatchObject({
    detail_level: 'debug',
  });
  expect((await request('/status/v1/services?level=nope')).status).toBe(400);
  expect(await request('/status/v1/simple/puppetdb-status')).toMatchObject({ status: 200, body: 'running' });
  const root = await fetch(`${service.url}/`, { redirect: 'manual' });
  expect([root.status, root.headers.get('location')]).toEqual([302, '/pdb/dashboard/index.html']);
  const dashboard = await fetch(`${service.url}/pdb/dashboard/index.html`);
  const html = await dashboard.text();
  expect([dashboard.status, html]).toEqual([
    200,
    expect.stringMatching(/<h1>nodeledger \S+<span class="state">running</) as string,
  ]);
  // Browsers apply the style of the page only if the policy has its hash.
  const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(dashboard.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
  const [, answer = ''] = /href="([^"]+)">Show its answer/.exec(html) ?? [];
  expect((await fetch(service.url + answer.replaceAll('&amp;', '&'))).status).toBe(200);
});

describe('starting and stopping', () => {
  test('a second service on the same data is refused, and the first goes on', async () => {
    const { code, output } = await refusedStart({ dataDir });
    expect(code).toBe(1);
    expect(output).toMatch(/cannot start: .*(in use|used)/);
    expect(output).toContain(dataDir);
    expect(output).toContain(String(service.pid));
    expect(output).not.toMatch(/\n\s+at /);
    expect(await askQuery(service, 'nodes', mine)).toHaveLength(1);
  });

  test('a port in use is refused with a next step, and nothing is left behind', async () => {
    const other = await temporaryDataDir();
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    const { code, output } = await refusedStart({ dataDir: other, flags: ['--port', String(port)] });
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`cannot start: port ${port} of 127.0.0.1 is in use.*\\n.*--port`));
    holder.close();
    const again = await startService({ dataDir: other });
    expect(await again.stop()).toBe(0);
    await rm(other, { recursive: true, force: true });
  });

  test('a database that does not answer is refused with a next step', async () => {
    const env = { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/none' };
    const { code, output } = await refusedStart({ dataDir, env });
    expect([code, output]).toEqual([1, expect.stringMatching(/cannot start: .*cannot be reached.*\n.*DATABASE_URL/)]);
    expect(output).not.toContain('secret');
  });

  test('wrong settings are refused by name', async () => {
    await writeFile(join(dataDir, 'wrong.yaml'), 'nod_ttl: 3d\n');
    const ofFile = await refusedStart({ dataDir, flags: ['--config', 'wrong.yaml'] });
    expect([ofFile.code, ofFile.output]).toEqual([
      1,
      expect.stringContaining('nod_ttl=3d (wrong.yaml): there is no such setting. Did you mean node_ttl?'),
    ]);
    const brokers = await refusedStart({ dataDir, env: { KAFKA_BROKERS: 'k1' } });
    expect(brokers.output).toContain('KAFKA_BROKERS=k1 (environment): expected brokers as host:port');
    const open = await refusedStart({ dataDir, flags: ['--host', '0.0.0.0'] });
    expect(open.output).toContain('NODELEDGER_ALLOW_INSECURE=true');
  });

  test('a stop under load answers what is under way, and loses nothing that it acknowledged', async () => {
    const other = await temporaryDataDir();
    const loaded = await startService({ dataDir: other });
    const acknowledged: string[] = [];
    let next = 0;
    const send = async (): Promise<void> => {
      for (;;) {
        const name = `n${next++}.load.test`;
        const parameters = new URLSearchParams({ command: 'replace facts', version: '5', certname: name });
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ ...facts, certname: name });
        const answer = await fetch(`${loaded.url}/pdb/cmd/v1?${parameters}`, { method: 'POST', headers, body }).catch(
          () => undefined,
        );
        if (answer === undefined) return;
        if (answer.status === 200) acknowledged.push(name);
      }
    };
    const sending = Array.from({ length: 8 }, send);
    await until(() => acknowledged.length > 10, { what: 'some accepted commands' });
    const before = performance.now();
    expect(await loaded.stop()).toBe(0);
    expect(performance.now() - before).toBeLessThan(5_000);
    await Promise.all(sending);

    const again = await startService({ dataDir: other });
    const stored = async (): Promise<Set<string>> => {
      const answer = await fetch(`${again.url}/pdb/query/v4/nodes`);
      return new Set(((await answer.json()) as { certname: string }[]).map((node) => node.certname));
    };
    const missing = async (): Promise<string[]> => {
      const found = await stored();
      return acknowledged.filter((name) => !found.has(name));
    };
    await until(async () => (await missing()).length === 0, { what: 'queries show all acknowledged commands' });
    expect(await again.stop()).toBe(0);
    await rm(other, { recursive: true, force: true });
  });

  test('a stop is clean, and a restart has everything that was acknowledged', async () => {
    const late = { ...facts, producer_timestamp: '2024-05-06T00:00:00.000Z', values: { role: 'late' } };
    expect((await post(path('replace_facts', 5), JSON.stringify(late))).status).toBe(200);
    expect(await service.stop()).toBe(0);
    expect(service.output()).toContain('nodeledger has stopped');
    service = await startService({ dataDir, env: { NODELEDGER_DIALECT: 'puppetdb' } });
    expect(await post(path('replace_catalog', 9, wait), JSON.stringify(catalog))).toEqual(processed);
    expect(await askQuery(service, 'facts', mine)).toMatchObject([{ name: 'role', value: 'late' }]);
    expect(await askQuery(service, 'reports', mine)).toHaveLength(1);
  });
});
