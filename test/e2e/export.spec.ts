/**
 * Tests archives of a whole service: over HTTP and with the command line, with and without a running service, killed
 * and repeated.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Fleet } from '#fleet';
import { canonical } from '../history/answers';
import { readArchive } from '../support/read-archive';
import { until } from '../support/until';
import { type RunningService, startService, temporaryDataDir } from './service';
import { runVerb, startVerb, type VerbEnd } from './verb';

// Whole processes are started one after the other, on machines with other load.
jest.setTimeout(240_000);

const nodes = 4;
const fleet = new Fleet('export', 'compact');
let dataDir: string;
let service: RunningService;
const env = { NODELEDGER_DIALECT: 'puppetdb' };

beforeAll(async () => {
  dataDir = await temporaryDataDir();
  service = await startService({ dataDir, env });
  for (let n = 0; n < nodes; n++) {
    const run = fleet.run(n, 0, { startTime: new Date(Date.UTC(2026, 0, 1)) });
    for (const { command, version, certname, text } of [run.facts, run.catalog, run.report]) {
      await submit(command, version, certname, text);
    }
  }
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function submit(command: string, version: number, certname: string, body: string): Promise<void> {
  const query = new URLSearchParams({ command, version: String(version), certname, secondsToWaitForCompletion: '30' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${service.url}/pdb/cmd/v1?${query}`, { method: 'POST', headers, body });
  expect(await answer.text()).toContain('"processed":true');
}
const exported = (query = ''): Promise<Response> => fetch(`${service.url}/pdb/admin/v1/archive${query}`);
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
const verb = (...args: string[]): Promise<VerbEnd> => runVerb(['export', ...args, '--data-dir', dataDir], dataDir, env);
const unfinished = async (): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => name.endsWith('.unfinished'));

test('HTTP and the command line give the same archive, beside the service, after a restart, without it', async () => {
  const answer = await exported();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=puppetdb-export-\S+\.tgz$/);
  const bytes = await bytesOf(answer);
  const entries = await readArchive(bytes);
  expect(entries).toHaveLength(1 + 3 * nodes);
  expect(entries[0]!.header.name).toBe('puppetdb-bak/export-metadata.json');

  const file = join(dataDir, 'all.tgz');
  expect(await verb(file)).toMatchObject({ code: 0, stdout: expect.stringContaining(`"documents": ${3 * nodes}`) });
  expect(await readFile(file)).toEqual(bytes);

  await service.stop();
  expect((await verb(file)).code).toBe(0);
  expect(await readFile(file)).toEqual(bytes);
  service = await startService({ dataDir, env });
  expect(await bytesOf(await exported())).toEqual(bytes);
});

test('an export that is killed leaves no archive, and a repetition leaves nothing else', async () => {
  const file = join(dataDir, 'killed.tgz');
  const running = startVerb(['export', file, '--data-dir', dataDir], dataDir, env);
  await until(async () => (await unfinished()).length > 0);
  running.signal('SIGKILL');
  await running.ended;
  const names = await readdir(dataDir);
  // The export may have ended before the kill.
  if (!names.includes('killed.tgz')) expect(await unfinished()).toHaveLength(1);
  expect((await verb(file)).code).toBe(0);
  expect(await unfinished()).toEqual([]);
  expect(await readFile(file)).toEqual(await bytesOf(await exported()));
});

test('an anonymized archive has none of the names; a seed makes it repeatable', async () => {
  const { certname } = fleet.node(0);
  const texts = async (bytes: Buffer): Promise<string> =>
    (await readArchive(bytes)).map(({ header, text }) => `${header.name}\n${text}`).join('\n');
  const full = await bytesOf(await exported('?anonymization_profile=full'));
  expect(await texts(await bytesOf(await exported()))).toContain(certname);
  expect(await texts(full)).not.toContain(certname);
  expect(await readArchive(full)).toHaveLength(1 + 3 * nodes);

  const files = ['seeded-1.tgz', 'seeded-2.tgz'].map((name) => join(dataDir, name));
  for (const file of files) expect((await verb(file, '--anonymize', 'full', '--seed', 'a secret')).code).toBe(0);
  const [one, two] = await Promise.all(files.map((file) => readFile(file)));
  expect(one).toEqual(two);
  expect(one).not.toEqual(full);
});

const paths = ['nodes', 'factsets', 'facts', 'catalogs', 'resources', 'edges', 'reports', 'events'];

/** The rows of the path, without the times of receipt, in any order. */
async function rowsOf(url: string, path: string, parameters = ''): Promise<string[]> {
  const times = /^(timestamp|(report_)?receive_time|(facts|catalog|report)_timestamp)$/;
  const answer = await fetch(`${url}/pdb/query/v4/${path}?query=["=","node_state","any"]&${parameters}`);
  expect([path, answer.status]).toEqual([path, 200]);
  const text = JSON.stringify(await answer.json(), (key, value: unknown) => (times.test(key) ? undefined : value));
  return (JSON.parse(text) as unknown[]).map((row) => canonical(JSON.stringify(row))).sort();
}

test('an archive of an earlier moment gives an empty service the answers about this moment', async () => {
  const [first, second, third] = [0, 1, 2].map((n) => fleet.run(n, 1, { startTime: new Date(Date.UTC(2026, 0, 2)) }));
  const deactivate = (certname: string): Promise<void> =>
    submit('deactivate node', 3, certname, JSON.stringify({ certname, producer_timestamp: new Date().toISOString() }));
  await deactivate(third!.facts.certname);
  const now = await bytesOf(await exported());
  const asked = await fetch(`${service.url}/pdb/query/v4/nodes?as_of=now`);
  const [moment, time] = ['as-of', 'as-of-time'].map((name) => asked.headers.get(`x-nodeledger-${name}`) ?? '');
  const [before, since] = ['before.tgz', 'since.tgz'].map((name) => join(dataDir, name));
  expect(await verb(before!, '--at', moment!)).toMatchObject({ code: 0 });
  expect(await readFile(before!)).toEqual(now);

  for (const { command, version, certname, text } of [first!.facts, first!.catalog, first!.report, third!.report])
    await submit(command, version, certname, text);
  await deactivate(second!.facts.certname);
  const same = await verb(since!, '--at', time!);
  expect(same).toMatchObject({ code: 0 });
  expect(await readFile(since!)).toEqual(now);
  const deleted = await fetch(`${service.url}/pdb/admin/v1/cmd`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command: 'delete', version: 1, payload: { certname: second!.facts.certname } }),
  });
  expect(deleted.ok).toBe(true);
  expect((await verb(since!, '--at', moment!)).code).toBe(0);

  const otherDir = await temporaryDataDir();
  const other = await startService({ dataDir: otherDir, env });
  try {
    expect((await runVerb(['import', since!, '--url', other.url], dataDir)).code).toBe(0);
    const expected = (path: string): Promise<string[]> =>
      rowsOf(service.url, path, `as_of=${encodeURIComponent(moment!)}`);
    const then = await expected('nodes');
    expect(then).toHaveLength(nodes - 1);
    expect(await rowsOf(service.url, 'nodes')).not.toEqual(then);
    // The import has ended before the last documents are applied.
    await until(async () => isDeepStrictEqual(await rowsOf(other.url, 'nodes'), then));
    for (const path of paths) {
      const rows = new Set(await expected(path));
      const found = await rowsOf(other.url, path);
      expect(rows.size).toBeGreaterThan(0);
      expect([path, found.length, found.filter((row) => !rows.has(row)).slice(0, 3)]).toEqual([path, rows.size, []]);
    }
  } finally {
    await other.stop();
    await rm(otherDir, { recursive: true, force: true });
  }
});

test('an archive of a moment before the history comes from the log', async () => {
  const file = join(dataDir, 'earlier.tgz');
  expect((await verb(file, '--at', 'recently')).stderr).toContain('as_of does not know the moment "recently"');
  expect((await verb(file, '--at', '2999-01-01')).stderr).toContain('which is in the future');
  const early = await verb(file, '--at', '2020-01-01');
  expect([early.code, (await readArchive(await readFile(file))).length]).toEqual([0, 1]);
});

test('what is wrong is refused, HEAD exports nothing, and who exported is on record', async () => {
  const bad = await exported('?anonymization_profile=ful');
  expect([bad.status, bad.headers.get('x-nodeledger-error')]).toEqual([400, 'archive.parameter']);
  const head = await fetch(`${service.url}/pdb/admin/v1/archive`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  expect((await verb('/no/such/folder/x.tgz')).stderr).toContain('the archive cannot be written');
  const { stdout } = await runVerb(['audit', '--json', '--data-dir', dataDir], dataDir, env);
  expect(stdout).toMatch(/"action": "export"/);
});

test('a client that leaves ends its export, and two run at most', async () => {
  const { hostname, port } = new URL(service.url);
  const open = Array.from({ length: 2 }, () => {
    const socket = connect(Number(port), hostname);
    socket.pause();
    socket.write('GET /pdb/admin/v1/archive HTTP/1.1\r\nhost: x\r\n\r\n');
    return socket;
  });
  // The buffers of one connection may hold the whole archive of such a small fleet. The next export can then begin at
  // once.
  const third = await exported();
  expect([200, 503]).toContain(third.status);
  await third.arrayBuffer();
  for (const socket of open) socket.destroy();
  await until(async () => (await bytesOf(await exported())).length > 10_000);
});
