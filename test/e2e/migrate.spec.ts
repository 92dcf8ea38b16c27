/** Tests `nodeledger migrate` from one service to another, because both have the interface of PuppetDB. */
import { mkdir, rm, writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askQuery } from '../support/ask-query';
import { catalog, event, factset, report, resource } from '../support/documents';
import { freshDatabase } from '../support/postgres';
import { startService, temporaryDataDir, type RunningService } from './service';
import { runVerb, startVerb, type VerbEnd } from './verb';
import { until } from '../support/until';

let room: string;
let source: RunningService;
let target: RunningService;
const undo: (() => Promise<unknown>)[] = [];

async function start(): Promise<RunningService> {
  const fresh = await freshDatabase();
  const env = { DATABASE_URL: fresh.connectionString, NODELEDGER_DIALECT: 'puppetdb', NODELEDGER_GC_INTERVAL: '0' };
  const service = await startService({ dataDir: room, env });
  undo.push(
    () => fresh.drop(),
    () => service.stop(),
  );
  return service;
}

async function post(command: string, version: number, certname: string, payload: unknown): Promise<void> {
  const parameters = new URLSearchParams({ command, version: String(version), certname });
  const answer = await fetch(`${source.url}/pdb/cmd/v1?${parameters}&secondsToWaitForCompletion=30`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
  expect(await answer.json()).toMatchObject({ processed: true });
}
const now = Date.now();
const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
const migrate = (...flags: string[]): Promise<VerbEnd> =>
  runVerb(['migrate', '--from', source.url, '--url', target.url, ...flags], room);

beforeAll(async () => {
  room = await temporaryDataDir();
  undo.push(() => rm(room, { recursive: true, force: true }));
  [source, target] = await Promise.all([start(), start()]);
  for (let n = 0; n < 6; n++) {
    const certname = `n${n}.test`;
    const over = { producer_timestamp: ago(60 - n) };
    const text = JSON.stringify(
      factset(certname, { n, load: 'LOAD', deep: { list: [1, { x: null }], none: {} } }, over),
    );
    await post('replace_facts', 5, certname, text.replace('"LOAD"', '1.0'));
    const resources = [resource('/etc/motd', { parameters: { size: 1.5, mode: '0644' } }), resource('/etc/hosts')];
    await post('replace_catalog', 9, certname, catalog(certname, resources, [], over));
    for (let run = 0; run < 6; run++) {
      await post('store_report', 8, certname, {
        ...report(certname, [event('ensure'), event('mode')], { producer_timestamp: ago(run + 1) }),
        configuration_version: `v${run}`,
      });
    }
  }
  await post('replace_catalog_inputs', 1, 'n1.test', {
    certname: 'n1.test',
    producer_timestamp: ago(1),
    catalog_uuid: '00000000-0000-4000-8000-000000000002',
    inputs: [['hiera', 'a::b']],
  });
  await post('configure_expiration', 1, 'n2.test', {
    certname: 'n2.test',
    producer_timestamp: ago(1),
    expire: { facts: false },
  });
  await post('deactivate_node', 3, 'n3.test', { certname: 'n3.test', producer_timestamp: ago(0) });
}, 180_000);
afterAll(async () => {
  for (const step of undo.reverse()) await step();
}, 60_000);

interface Told {
  readonly copied: { readonly submitted: number; readonly present: number };
  readonly comparison: {
    readonly counts: readonly object[];
    readonly differences: readonly string[];
    readonly documents: number;
  };
  readonly equal: boolean;
}

test('a copy that is killed is completed by the next one, which says that both sides answer the same', async () => {
  const killed = startVerb(['migrate', '--from', source.url, '--url', target.url, '--concurrency', '1'], room);
  await killed.said(/from http/);
  await until(async () => (await askQuery(target, 'nodes')).length > 0, { what: 'the first copied node' });
  killed.signal('SIGKILL');
  await killed.ended;

  const { code, stdout, stderr } = await migrate();
  const told = JSON.parse(stdout) as Told;
  expect([code, told.comparison.differences, stderr]).toEqual([0, [], expect.stringContaining('submitted')]);
  expect(told.equal).toBe(true);
  // Six documents for each of the six nodes (facts, catalog, three reports, node state), and one document of catalog
  // inputs.
  expect(told.comparison.documents).toBe(6 * 6 + 1);
  const all = 6 * 8 + 1;
  expect(told.copied.present + told.copied.submitted).toBeGreaterThanOrEqual(all);

  const again = JSON.parse((await migrate()).stdout) as Told;
  expect(again.copied).toMatchObject({ submitted: 0, present: all });
}, 180_000);

test('what differs is named, and the exit code is 1', async () => {
  await post('replace_facts', 5, 'n0.test', factset('n0.test', { other: 1 }, { producer_timestamp: ago(0) }));
  const { code, stdout } = await migrate('--compare', '--sample', '100');
  const { copied, comparison } = JSON.parse(stdout) as Partial<Told>;
  expect([code, copied]).toEqual([1, undefined]);
  expect(comparison?.differences).toEqual([expect.stringContaining('facts of n0.test: differs')]);
  expect(comparison?.counts).toContainEqual({ entity: 'facts', source: 16, target: 18 });
}, 120_000);

test('a server that is not there, or is another one, is told', async () => {
  const absent = await runVerb(['migrate', '--from', 'http://nothing.invalid', '--url', target.url], room);
  expect([absent.code, absent.stderr]).toEqual([
    1,
    expect.stringMatching(/the source \(nothing.invalid\) does not answer/),
  ]);
  const wrong = await runVerb(['migrate', '--from', `${source.url}/elsewhere`, '--url', target.url], room);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/the source .* answers 404/)]);
}, 60_000);

test('configuration files become a settings file', async () => {
  const conf = join(room, 'conf.d');
  await mkdir(conf);
  await writeFile(join(conf, 'database.ini'), '[database]\nnode-ttl = 3d\npassword = hidden\n');
  await writeFile(join(conf, 'auth.conf'), 'authorization: {}');
  const file = join(room, 'made.yaml');
  const run = await runVerb(['migrate', '--config', conf, '--allowlist', '/etc/allow', '--output', file], room);
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('auth.conf is not read')]);
  const shown = await runVerb(['config', '--config', file], room);
  expect(shown.stdout).toMatch(/NODELEDGER_NODE_TTL +3d/);
  expect(await readFile(file, 'utf8')).not.toContain('hidden');
  const twice = await runVerb(['migrate', '--config', conf, '--output', file], room);
  expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('exists already')]);
}, 60_000);
