/**
 * `nodeledger migrate` from Debian's PuppetDB to the built service. Where the package is missing, everything is skipped and
 * the output says so; NODELEDGER_REQUIRE_PUPPETDB=1 makes that a failure.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningService, startService, temporaryDataDir } from '../../e2e/service';
import { runVerb } from '../../e2e/verb';
import { freshDatabase } from '../../support/postgres';
import { until } from '../../support/until';
import { missingPart, PuppetDbServer } from './puppetdb-server';

const missing = missingPart();

if (missing !== undefined) console.info(`skipped: ${missing}`);
if (process.env['NODELEDGER_REQUIRE_PUPPETDB'] === '1') {
  test('what the suite needs is here', () => expect(missing).toBeUndefined());
}

(missing === undefined ? describe : describe.skip)('a PuppetDB', () => {
  let source: PuppetDbServer;
  let target: RunningService;
  let room: string;
  const undo: (() => Promise<unknown>)[] = [];

  const time = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  async function post(command: string, version: number, certname: string, payload: string | object): Promise<void> {
    const parameters = new URLSearchParams({ command, version: String(version), certname });
    const answer = await fetch(`${source.url}/pdb/cmd/v1?${parameters}&secondsToWaitForCompletion=60`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
    expect(await answer.json()).toMatchObject({ processed: true });
  }

  beforeAll(async () => {
    room = await temporaryDataDir();
    const root = await mkdtemp(join(tmpdir(), 'nodeledger-puppetdb-'));
    undo.push(
      () => rm(root, { recursive: true, force: true }),
      () => rm(room, { recursive: true, force: true }),
    );
    source = await PuppetDbServer.start(root);
    undo.push(() => source.stop());
    const fresh = await freshDatabase();
    undo.push(() => fresh.drop());
    const env = { DATABASE_URL: fresh.connectionString, NODELEDGER_DIALECT: 'puppetdb', NODELEDGER_EDITION: 'open' };
    target = await startService({ dataDir: room, env: { ...env, NODELEDGER_GC_INTERVAL: '0' } });
    undo.push(() => target.stop());
  }, 480_000);
  afterAll(async () => {
    for (const step of undo.reverse()) await step();
  }, 60_000);

  test('is copied with all that it has; content hashes are the same on both sides', async () => {
    const fleet = await runVerb(['fleet', '--nodes', '4', '--runs', '2', '--url', source.url], room);
    expect(fleet.code).toBe(0);
    const odd = 'odd "name\\é.test';
    await post(
      'replace_facts',
      5,
      odd,
      `{"certname":${JSON.stringify(odd)},"environment":"production","producer":null,"producer_timestamp":"${time(5)}",
        "values":{"float":1.0,"big":123456789012345678901234567890,"tiny":1.5e-9,"deep":{"a":[1,{"b":null}],"e":[],"m":{}}},
        "package_inventory":[["bash","5.1","apt"],["curl","7.8","apt"]]}`,
    );
    await post('replace_catalog_inputs', 1, odd, {
      certname: odd,
      producer_timestamp: time(4),
      catalog_uuid: '11111111-2222-4333-8444-555555555555',
      inputs: [['hiera', 'a::b']],
    });
    await post('configure_expiration', 1, odd, {
      certname: odd,
      producer_timestamp: time(3),
      expire: { facts: false },
    });
    await post('replace_facts', 5, 'gone.test', {
      certname: 'gone.test',
      environment: 'old',
      producer: 'p.test',
      producer_timestamp: time(50),
      values: { a: 1 },
    });
    await post('deactivate_node', 3, 'gone.test', { certname: 'gone.test', producer_timestamp: time(2) });
    await settled();

    const run = await runVerb(['migrate', '--from', source.url, '--url', target.url], room);
    const { comparison, copied, equal } = JSON.parse(run.stdout) as {
      comparison: {
        counts: { entity: string; source: number; target: number }[];
        differences: string[];
        documents: number;
      };
      copied: { nodes: number; failures: unknown[] };
      equal: boolean;
    };
    expect(comparison.differences).toEqual([]);
    expect(comparison.counts.filter((row) => row.source !== row.target)).toEqual([]);
    expect([run.code, equal, copied.nodes, copied.failures]).toEqual([0, true, 6, []]);
    const counted = Object.fromEntries(comparison.counts.map((row) => [row.entity, row.source]));
    expect(counted).toMatchObject({ nodes: 6, factsets: 6, catalogs: 4, 'catalog-inputs': 1, reports: 8 });
    expect(comparison.documents).toBe(6 + 4 + 1 + 8 + 6);
  }, 200_000);

  test('has a configuration that becomes a settings file', async () => {
    const run = await runVerb(['migrate', '--config', source.config], room);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('node_ttl: "4000d"');
    expect(run.stdout).toContain('gc_interval: "0"');
    expect(run.stderr).toContain('auth.conf is not read');
  });

  /** Until it has stored all that the fleet simulator has sent. */
  const settled = (): Promise<void> =>
    until(
      async () => {
        const answer = await fetch(`${source.url}/pdb/query/v4/reports`);
        return ((await answer.json()) as unknown[]).length === 8;
      },
      { what: 'eight reports', withinMs: 120_000 },
    );
});
