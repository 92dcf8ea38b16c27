/** An operator's story: a node breaks, and the past shows since when, what was different, and which other nodes come next. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catalog, event, factset, report, resource } from '../support/documents';
import { startService, temporaryDataDir, type RunningService } from './service';
import { runVerb, type VerbEnd } from './verb';

let dataDir: string;
let service: RunningService;
/** The positions after the runs that went well. */
let before: string;

const verb = (...args: string[]): Promise<VerbEnd> => runVerb([...args, '--url', service.url], dataDir);

async function rows(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await verb(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as unknown;
}

async function send(command: string, version: number, certname: string, payload: object): Promise<void> {
  const parameters = { command, version: String(version), certname, secondsToWaitForCompletion: '30' };
  const answer = await fetch(`${service.url}/pdb/cmd/v1?${new URLSearchParams(parameters)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  });
  expect(answer.status).toBe(200);
}

/** A run of a node with this version of openssl. `mode`: of the file that the new version cannot read. */
async function run(certname: string, openssl: string, mode: string, status: string): Promise<void> {
  const time = { producer_timestamp: new Date().toISOString() };
  const inventory = { package_inventory: [['openssl', openssl, 'apt']] };
  await send('replace_facts', 5, certname, factset(certname, { kernel: 'Linux' }, { ...time, ...inventory }));
  const files = [resource('/etc/ssl/openssl.cnf', { parameters: { mode } })];
  await send('replace_catalog', 9, certname, catalog(certname, files, [], time));
  const events = status === 'failed' ? [event('mode', { status: 'failure', message: 'cannot read openssl.cnf' })] : [];
  await send('store_report', 8, certname, report(certname, events, { ...time, status }));
}

beforeAll(async () => {
  dataDir = await temporaryDataDir();
  service = await startService({ dataDir });
  for (const certname of ['web1', 'web2', 'db1']) {
    await run(certname, certname === 'db1' ? '3.0.9' : '3.0.7', '0600', 'unchanged');
  }
  const asked = await fetch(`${service.url}/pdb/query/v4/nodes?as_of=now`);
  before = asked.headers.get('x-nodeledger-as-of') ?? '';
  await run('web1', '3.0.9', '0644', 'failed');
  // It was reinstalled, so that only the past has its old state.
  await run('web2', '3.0.9', '0600', 'unchanged');
}, 120_000);

afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it('finds the node that fails, and since when', async () => {
  expect(await rows('nodes', '--failed')).toMatchObject([{ certname: 'web1' }]);
  expect(await rows('nodes', '--failed', '--as-of', before)).toEqual([]);
  const reports = 'reports[status] { certname = "web1" order by producer_timestamp desc }';
  expect(await rows('query', reports)).toEqual([{ status: 'failed' }, { status: 'unchanged' }]);
  expect(await rows('query', '--as-of', before, reports)).toEqual([{ status: 'unchanged' }]);
});

it('shows the packages, the facts, the catalog and the report before', async () => {
  const packages = 'package_inventory[version] { certname = "web1" and package_name = "openssl" }';
  expect(await rows('query', packages)).toEqual([{ version: '3.0.9' }]);
  expect(await rows('query', '--as-of', before, packages)).toEqual([{ version: '3.0.7' }]);
  const file = 'resources[parameters] { certname = "web1" and title = "/etc/ssl/openssl.cnf" }';
  expect(await rows('query', file)).toEqual([{ parameters: { mode: '0644' } }]);
  expect(await rows('query', '--as-of', before, file)).toEqual([{ parameters: { mode: '0600' } }]);
  expect(await rows('facts', 'web1', 'kernel', '--as-of', before)).toEqual([{ name: 'kernel', value: 'Linux' }]);
  expect(await rows('report', 'web1', '--as-of', before)).toMatchObject({ status: 'unchanged' });
  expect(await rows('report', 'web1')).toMatchObject({ status: 'failed' });
});

it('lists the nodes that were in the same state at that moment', async () => {
  const same = 'package_inventory[certname] { package_name = "openssl" and version = "3.0.7" }';
  expect(await rows('query', same)).toEqual([]);
  expect(await rows('query', '--as-of', before, `${same.slice(0, -1)}order by certname }`)).toEqual([
    { certname: 'web1' },
    { certname: 'web2' },
  ]);
  const inPql = join(dataDir, 'same.pql');
  await writeFile(inPql, `${same} as of "${before}"`);
  expect(await rows('query', '--file', inPql)).toHaveLength(2);
});

it('explains the failure of a node as of a moment, and selects nodes that were unreported then', async () => {
  expect(await rows('nodes', '--why', '--as-of', 'now')).toMatchObject([{ certname: 'web1', reasons: [{}] }]);
  expect(await rows('nodes', '--why', '--as-of', before)).toEqual([]);
  expect(await rows('nodes', '--unreported', '1h', '--as-of', 'now')).toHaveLength(3);
});

it('a deleted node is in no answer about the past', async () => {
  const deleted = await fetch(`${service.url}/pdb/admin/v1/cmd`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command: 'delete', version: 1, payload: { certname: 'web2' } }),
  });
  expect(deleted.ok).toBe(true);
  const { code, stderr } = await verb('facts', 'web2', '--as-of', before);
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no active node was called web2') as unknown,
  });
});
