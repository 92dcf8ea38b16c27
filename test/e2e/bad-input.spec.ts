/**
 * Sends malformed and oversized documents over HTTP and waits for them. Tests the answer to each, that the memory of
 * the service stays bounded, and that the command of another node is applied meanwhile. Also tests the route for
 * reports in the form of agents.
 */
import { rm } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { catalog, edge, factset, report, resource } from '../support/documents';
import { processMegabytes } from '../support/process-memory';
import { startService, temporaryDataDir, type RunningService } from './service';

const certname = 'bad.input.test';
/** Peak memory of the process: its two heaps and the largest payload. */
const mostMegabytes = 1_200;

let dataDir: string;
let service: RunningService;

beforeAll(async () => {
  dataDir = await temporaryDataDir();
  service = await startService({ dataDir });
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly text: string;
}
async function post(path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
  const init = {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
    headers: { 'content-type': 'application/json', ...headers },
  };
  const response = await fetch(service.url + path, init);
  return { status: response.status, text: await response.text() };
}
function submit(
  command: string,
  version: number,
  body: string | Buffer | object,
  headers: Record<string, string> = {},
  node = certname,
): Promise<Answer> {
  const parameters = { command, version: String(version), certname: node, secondsToWaitForCompletion: '30' };
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return post(`/pdb/cmd/v1?${new URLSearchParams(parameters)}`, bytes, headers);
}
/** Sends a document and, at the same time, facts of another node, which must pass. */
async function besides(sent: Promise<Answer>): Promise<Answer> {
  const other = 'good.input.test';
  const [answer, good] = await Promise.all([sent, submit('replace_facts', 5, factset(other, { a: 1 }), {}, other)]);
  expect([good.status, good.text]).toEqual([200, expect.stringContaining('"processed":true')]);
  return answer;
}

const rejected = (error: RegExp): Answer => ({ status: 503, text: expect.stringMatching(error) as string });
const gzip = { 'content-encoding': 'gzip' };
const facts = JSON.stringify(factset(certname, { a: 1 }));
const many = (count: number): object[] => Array.from({ length: count }, (_, i) => resource(`/f${i}`));

describe('a rejected document', () => {
  test.each<[string, () => Promise<Answer>, RegExp]>([
    ['malformed JSON', () => submit('replace_facts', 5, '{"certname": '), /wire\.json/],
    ['nothing', () => submit('replace_facts', 5, ''), /wire\.json/],
    ['a list', () => submit('replace_facts', 5, '[]'), /wire\.shape/],
    ['invalid UTF-8', () => submit('replace_facts', 5, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22])), /wire\.encoding/],
    [
      '10,000 levels',
      () => submit('replace_facts', 5, `{"values":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
      /wire\.limit.*levels of nesting/,
    ],
    ['another certname', () => submit('replace_facts', 5, factset('other.input.test', {})), /wire\.certname/],
    ['no certname', () => submit('replace_facts', 5, { ...factset(certname, {}), certname: undefined }), /wire\.shape/],
    ['a future version', () => submit('replace_catalog', 10, catalog(certname, [], [])), /wire\.version/],
    ['a wrong type', () => submit('store_report', 8, report(certname, [], { noop: 'no' })), /wire\.shape.*noop/],
    [
      'a bad timestamp',
      () => submit('replace_facts', 5, factset(certname, {}, { producer_timestamp: 'noon' })),
      /wire\.shape.*producer_timestamp/,
    ],
    [
      'a truncated gzip',
      () => submit('replace_facts', 5, gzipSync(facts).subarray(0, 30), { ...gzip, 'x-uncompressed-length': '30' }),
      /wire\.gzip/,
    ],
    ...[9, 4].map((bytes): [string, () => Promise<Answer>, RegExp] => [
      `a gzip without its last ${bytes} bytes`,
      () => submit('replace_facts', 5, gzipSync(facts).subarray(0, -bytes), gzip),
      /wire\.gzip/,
    ]),
    [
      'a duplicate resource',
      () => submit('replace_catalog', 9, catalog(certname, [resource('/a'), resource('/a')], [])),
      /expected a resource of its own/,
    ],
  ])('%s', async (_what, send, error) => {
    expect(await besides(send())).toEqual(rejected(error));
  });
});

describe('a large document', () => {
  test('a gzip bomb is refused by what it says of its size', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000, 0x20));
    expect((await besides(submit('replace_facts', 5, bomb, gzip))).status).toBe(413);
  });

  test('a gzip bomb that lies about its size is rejected when inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000, 0x20));
    const answer = await besides(submit('replace_facts', 5, bomb, { ...gzip, 'x-uncompressed-length': '10' }));
    expect(answer).toEqual(rejected(/wire\.too-large/));
  });

  test('20,000 resources are stored', async () => {
    const body = JSON.stringify(catalog(certname, many(20_000), []));
    const answer = await besides(submit('replace_catalog', 9, gzipSync(body), gzip));
    expect(answer).toEqual({ status: 200, text: expect.stringContaining('"timed_out":false') });
  }, 60_000);

  test('memory stayed bounded', async () => {
    expect(processMegabytes(service.pid, 'VmHWM')).toBeLessThan(mostMegabytes);
  });
});

test('edges to nowhere', async () => {
  const node = 'edges.input.test';
  const answer = await submit(
    'replace_catalog',
    9,
    catalog(node, [resource('/a')], [edge('/a', '/nowhere')]),
    {},
    node,
  );
  expect(answer).toEqual(rejected(/expected a resource of this catalog/));
});

describe('POST /nodeledger/v1/agent-reports', () => {
  const path = '/nodeledger/v1/agent-reports';
  const host = 'agent.input.test';
  const time = '2026-01-01T00:00:00.000000000+00:00';
  const agentReport = {
    host,
    time,
    resource_statuses: {
      'File[/a]': {
        resource_type: 'File',
        title: '/a',
        change_count: 1,
        out_of_sync_count: 1,
        tags: ['file'],
        skipped: false,
        time,
        containment_path: ['Stage[main]', 'Web', 'File[/a]'],
        events: [
          { audited: false, property: 'ensure', message: 'created', name: 'file_created', status: 'success', time },
        ],
      },
    },
    configuration_version: 1767225600,
    report_format: 9,
    agent_version: '5.5.1',
    status: 'changed',
    transaction_completed: true,
    noop: false,
    noop_pending: false,
    environment: 'production',
    master_used: 'puppet.test',
  };

  test('a report is stored and shown', async () => {
    const answer = await post(`${path}?secondsToWaitForCompletion=30`, gzipSync(JSON.stringify(agentReport)), gzip);
    expect(answer).toEqual({ status: 200, text: expect.stringMatching(/"uuid":"[0-9a-f-]{36}","processed":true/) });
    const query = new URLSearchParams({ query: JSON.stringify(['=', 'certname', host]) });
    const reports = (await (await fetch(`${service.url}/pdb/query/v4/reports?${query}`)).json()) as unknown[];
    expect(reports).toMatchObject([
      { certname: host, status: 'changed', producer: 'puppet.test', agent_version: '5.5.1', report_format: 9 },
    ]);
    const events = (await (await fetch(`${service.url}/pdb/query/v4/events?${query}`)).json()) as unknown[];
    expect(events).toMatchObject([{ resource_title: '/a', property: 'ensure', containing_class: 'Web' }]);
  });

  test('a bad report is refused with all its problems', async () => {
    const answer = await post(path, JSON.stringify({ ...agentReport, noop: 1, status: 'fine' }));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual({
      error: expect.stringContaining('The agent report breaks its format'),
      problems: [
        { path: 'status', expected: 'one of failed, changed, unchanged', found: '"fine"' },
        { path: 'noop', expected: 'a boolean', found: 'a number' },
      ],
    });
  });

  test.each<[string, string, Record<string, string>, number]>([
    ['no JSON', '{', {}, 400],
    ['another media type', '{}', { 'content-type': 'text/plain' }, 415],
    ['no gzip', '{}', gzip, 400],
    ['too large by its own words', '{}', { 'x-uncompressed-length': '900000000' }, 413],
  ])('%s is refused', async (_what, body, headers, status) => {
    expect((await post(path, body, headers)).status).toBe(status);
  });

  test('large reports do not hold up other requests', async () => {
    const line = { level: 'notice', message: 'm', source: 's', tags: [], time };
    const body = gzipSync(JSON.stringify({ ...agentReport, logs: Array(49_000).fill(line) }));
    const delays: number[] = [];
    const reports = new Set(Array.from({ length: 18 }, () => post(path, body, gzip)));
    for (const report of reports) void report.finally(() => reports.delete(report));
    const answers = Promise.all(reports);
    while (reports.size > 0) {
      const start = performance.now();
      expect((await fetch(`${service.url}/nodeledger/v1/live`)).status).toBe(200);
      delays.push(performance.now() - start);
    }
    const statuses = (await answers).map(({ status }) => status);
    // If the inflated reports do not fit in the memory for bodies, the service asks the client to send them again.
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(5);
    // Other programs may delay a few requests on a busy machine. Without the thread, half of the requests take 200 ms.
    delays.sort((one, other) => one - other);
    expect(delays[Math.floor(delays.length * 0.9)]).toBeLessThan(100);
  }, 120_000);

  test('an unknown parameter is refused', async () => {
    expect((await post(`${path}?colour=red`, JSON.stringify(agentReport))).status).toBe(400);
  });
});
