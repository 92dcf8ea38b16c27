/** Compares the metrics of a running service, as collectors and dashboards request them, with what the test did. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { referenceDifferences } from '../metrics/reference-differences';
import { catalog, factset, report, resource } from '../support/documents';
import { tellSkipped } from '../support/tell-skipped';
import { until } from '../support/until';
import { type RunningService, startService, temporaryDataDir } from './service';

/** Texts that no metric may contain. */
const sentinel = 'sentinel-4711';
const node = `web-${sentinel}`;

let service: RunningService;
let dataDir: string;

beforeAll(async () => {
  dataDir = await temporaryDataDir();
  const env = { NODELEDGER_DIALECT: 'puppetdb', NODELEDGER_GC_INTERVAL: '0' };
  service = await startService({ dataDir, env });
  await submit('replace_facts', 5, factset(node, { secret: sentinel }));
  await submit('replace_catalog', 9, catalog(node, [resource(sentinel)], []));
  await submit('replace_catalog', 9, catalog(node, [resource(sentinel)], []));
  await submit('store_report', 8, report(node, []));
  await submit('replace_facts', 5, { certname: node, bad: sentinel });
  expect((await post(`/pdb/cmd/v1?command=${sentinel}&version=1&certname=${node}`, {})).status).toBe(400);
  for (const path of ['nodes', `nodes/${node}/facts`, `nodes/no-${sentinel}`, `facts/${sentinel}`, `no/${sentinel}`])
    await fetch(`${service.url}/pdb/query/v4/${path}?origin=${sentinel}`, {
      headers: { 'x-authentication': sentinel, authorization: `Bearer ${sentinel}` },
    });
  await until(async () => (await value('puppetlabs.puppetdb.mq:name=global.seen', 'Count')) === 5);
}, 120_000);

afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

async function submit(command: string, version: number, payload: unknown): Promise<void> {
  const wait = 'secondsToWaitForCompletion=20';
  const answer = await post(`/pdb/cmd/v1?command=${command}&version=${version}&certname=${node}&${wait}`, payload);
  expect([200, 503]).toContain(answer.status);
}

const json = async (path: string): Promise<unknown> => (await fetch(service.url + path)).json();

async function value(mbean: string, attribute: string): Promise<unknown> {
  const path = [mbean, attribute].map((part) => encodeURI(part.replace(/[!/]/g, '!$&'))).join('/');
  return ((await json(`/metrics/v2/read/${path}`)) as { value?: unknown }).value;
}

test.each([
  ['mq:name=global.processed', 'Count', 4],
  ['mq:name=global.fatal', 'Count', 1],
  ['mq:name=global.size', 'Count', 5],
  ['mq:name=global.message-persistence-time', 'Count', 5],
  ['mq:name=global.queue-time', 'Count', 5],
  ['mq:name=global.concurrent-depth', 'Count', 0],
  ['mq:name=global.depth', 'Count', 0],
  ['mq:name=store report.8.depth', 'Count', 0],
  ['mq:name=replace facts.5.processed', 'Count', 1],
  ['mq:name=replace facts.5.discarded', 'Count', 1],
  ['mq:name=replace catalog.9.processing-time', 'Count', 2],
  ['mq:name=store report.8.seen', 'Count', 1],
  ['storage:name=new-catalogs', 'Count', 1],
  ['storage:name=duplicate-catalogs', 'Count', 1],
  ['storage:name=duplicate-pct', 'Value', 0.5],
  ['storage:name=replace-facts-time', 'Count', 1],
  ['storage:name=new-fact-time', 'Count', 1],
  ['storage:name=new-catalog-time', 'Count', 1],
  ['storage:name=catalog-hash', 'Count', 2],
  ['storage:name=catalog-hash-match-time', 'Count', 1],
  ['storage:name=catalog-hash-miss-time', 'Count', 0],
  ['storage:name=add-resources', 'Count', 1],
  ['storage:name=add-edges', 'Count', 1],
  ['mq:name=global.command-parse-time', 'Count', 5],
  ['admin:name=cleaning', 'Value', ''],
  ['dlo:name=puppetlabs.puppetdb.dlo.global.messages', 'Count', 1],
  ['population:name=num-nodes', 'Value', 1],
  ['population:name=num-resources', 'Value', 1],
  ['http:name=/pdb/cmd/v1.200', 'Count', 4],
  ['http:name=/pdb/query/v4/nodes/{certname}.404', 'Count', 1],
  ['http:name=/pdb/query/v4/facts/{name}.service-time', 'Count', 1],
  ['database:name=PDBReadPool.pool.MaxConnections', 'Value', 10],
])('%s %s', async (name, attribute, expected) => {
  expect(await value(`puppetlabs.puppetdb.${name}`, attribute)).toBe(expected);
});

test('the figures of times are possible', async () => {
  for (const name of [
    'mq:name=global.processing-time',
    'mq:name=global.command-parse-time',
    'storage:name=store-report-time',
    'storage:name=add-resources',
    'mq:name=global.message-persistence-time',
    'database:name=PDBWritePool.pool.Wait',
    'http:name=/pdb/query.service-time',
  ]) {
    const { value: found } = (await json(`/metrics/v2/read/puppetlabs.puppetdb.${name.replaceAll('/', '!/')}`)) as {
      value: Record<string, number>;
    };
    const [min = -1, half = -1, most = -1, max = -1] = ['Min', '50thPercentile', '99thPercentile', 'Max'].map(
      (key) => found[key],
    );
    expect(min).toBeGreaterThanOrEqual(0);
    expect([min, half, most, max]).toEqual([min, half, most, max].sort((a, b) => a - b));
    expect(max).toBeGreaterThan(0);
    expect(max).toBeLessThan(60_000);
    expect(found['MeanRate']).toBeGreaterThan(0);
  }
});

test('the bulk request of a metrics collector: every MBean of the list, and what is absent is an item', async () => {
  const { beans } = JSON.parse(readFileSync(join(__dirname, '../metrics/reference-beans.json'), 'utf8')) as {
    beans: Record<string, string>;
  };
  const names = [...Object.keys(beans), 'org.eclipse.jetty.util.thread:id=*,type=queuedthreadpool', 'java.lang:type=*'];
  const answer = await post(
    '/metrics/v2/read',
    names.map((mbean) => ({ type: 'read', mbean })),
  );
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json;charset=utf-8']);
  const items = (await answer.json()) as { status: number; request: { mbean: string }; value?: object }[];
  expect(items.map(({ request: { mbean } }) => mbean)).toEqual(names);
  const missing = items.filter(({ status }) => status !== 200);
  expect(new Set(missing.map(({ status }) => status))).toEqual(new Set([404]));
  const absent = referenceDifferences
    .flatMap(({ beans, attributes }) => (attributes === undefined ? beans : []))
    .filter((name) => names.includes(name));
  expect(missing.map(({ request: { mbean } }) => mbean).sort()).toEqual(
    [...absent, 'org.eclipse.jetty.util.thread:id=*,type=queuedthreadpool'].sort(),
  );
});

test('a cleaning that somebody asks for is measured, and its steps', async () => {
  const path = '/pdb/admin/v1/cmd';
  const asked = { command: 'clean', version: 1, payload: ['other', 'purge_nodes'] };
  expect((await post(path, asked)).status).toBe(200);
  for (const [name, count] of [
    ['admin:name=other-cleans', 1],
    ['admin:name=node-purge-time', 1],
    ['admin:name=node-purges', 1],
    ['admin:name=package-gcs', 0],
    ['storage:name=gc-time', 1],
    ['storage:name=gc-params-time', 1],
    ['storage:name=gc-packages-time', 0],
  ] as const)
    expect([name, await value(`puppetlabs.puppetdb.${name}`, 'Count')]).toEqual([name, count]);
});

test('bodies and requests are limited, and nothing but reading is done', async () => {
  const version = { type: 'version' };
  expect((await post('/metrics/v2', Array(2_001).fill(version))).status).toBe(413);
  expect((await post('/metrics/v2', `[${' '.repeat(1_000_001)}]`)).status).toBe(413);
  expect((await fetch(`${service.url}/metrics/v2/version`, { method: 'DELETE' })).status).toBe(405);
  expect(await json('/metrics/v2/exec/java.lang:type=Memory/gc')).toMatchObject({ status: 403 });
});

test('/metrics/v1 for old clients', async () => {
  const names = (await json('/metrics/v1/mbeans')) as Record<string, string>;
  const path = names['puppetlabs.puppetdb.population:name=num-nodes'] ?? '';
  expect(await json(path)).toEqual({ Value: 1 });
  expect(await json('/metrics/v1/mbeans/puppetlabs.puppetdb.population:name=num-nodes')).toEqual({ Value: 1 });
  for (const name of ['nope:name=x', 'nope', '%25', `a:b=${'c'.repeat(200_000)}`, '%2F'.repeat(50_000)]) {
    const answer = await fetch(`${service.url}/metrics/v1/mbeans/${name}`);
    expect(answer.status).toBe(404);
    expect((await answer.text()).length).toBeLessThan(1_000);
  }
  expect((await fetch(`${service.url}/metrics/v1/mbeans/%zz`)).status).toBe(400);
});

/** Debian: python3-prometheus-client. Prints `name{labels} value` of each sample. */
const parser = `
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
for family in text_string_to_metric_families(sys.stdin.read()):
    for sample in family.samples:
        labels = ','.join('%s=%s' % pair for pair in sorted(sample.labels.items()))
        print('%s{%s} %s' % (sample.name, labels, sample.value))
`;
const hasParser = (python: string): boolean =>
  spawnSync(python, ['-c', 'import prometheus_client.openmetrics.parser']).status === 0;
const python = ['python3', '/usr/bin/python3'].find(hasParser);
if (python === undefined) {
  tellSkipped('no python3 here has prometheus_client, which reads OpenMetrics', 'NODELEDGER_REQUIRE_PYTHON_CLIENTS');
}

(python === undefined ? test.skip : test)('/metrics is OpenMetrics, with what was done', async () => {
  const answer = await fetch(`${service.url}/metrics`);
  expect(answer.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  const { stdout, stderr } = spawnSync(python ?? '', ['-c', parser], { input: await answer.text(), encoding: 'utf8' });
  expect(stderr).toBe('');
  const samples = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ (?=\S+$)/) as [string, string]),
  );
  for (const [name, expected] of [
    ['nodeledger_commands_projected_total{command=replace catalog,version=9}', 2],
    ['nodeledger_commands_rejected_total{command=replace facts,version=5}', 1],
    ['nodeledger_command_append_duration_seconds_count{command=store report,version=8}', 1],
    ['nodeledger_command_queue_duration_seconds_bucket{command=store report,le=+Inf,version=8}', 1],
    ['nodeledger_catalogs_stored_total{content=unchanged}', 1],
    ['nodeledger_http_errors_total{code=command.invalid,route=/pdb/cmd/v1}', 1],
    ['nodeledger_http_responses_total{route=other,status=404}', 1],
    ['nodeledger_query_failures_total{code=query.record}', 1],
    ['nodeledger_query_rows_total{route=/pdb/query/v4/nodes}', 1],
    ['nodeledger_query_places{state=running}', 0],
    ['nodeledger_lag_records{partition=11}', 0],
    ['nodeledger_projector_running{}', 1],
    ['nodeledger_dead_letters{}', 1],
    ['nodeledger_nodes{state=active}', 1],
    ['nodeledger_pool_connections{pool=read,state=max}', 10],
  ] as const)
    expect([name, Number(samples.get(name))]).toEqual([name, expected]);
  expect(Number(samples.get('process_resident_memory_bytes{}'))).toBeGreaterThan(1e7);
  for (const thread of ['main', 'projector']) {
    const [used, limit] = ['used', 'limit'].map((area) =>
      Number(samples.get(`nodeledger_heap_bytes{area=${area},thread=${thread}}`)),
    );
    expect(used).toBeGreaterThan(1e6);
    expect(limit).toBeGreaterThan(used ?? 0);
    expect(Number(samples.get(`nodeledger_event_loop_busy_seconds_total{thread=${thread}}`))).toBeGreaterThan(0);
    expect(samples.has(`nodeledger_gc_duration_seconds_count{kind=major,thread=${thread}}`)).toBe(true);
  }
  expect(Number(samples.get('nodeledger_batch_step_duration_seconds_count{step=commit}'))).toBe(5);
});

test('no metric has anything of a payload, a token, a query or a connection', async () => {
  const texts = await Promise.all(
    ['/metrics', '/metrics/v2/list', '/metrics/v2/read/*:*', '/metrics/v1/mbeans'].map(async (path) =>
      (await fetch(service.url + path)).text(),
    ),
  );
  for (const text of texts) {
    expect(text).not.toContain(sentinel);
    expect(text).not.toMatch(/postgres(?:ql)?:\/\//);
    expect(text).not.toContain(dataDir);
  }
});

test('asking often costs the database nothing', async () => {
  const count = async (): Promise<number> =>
    Number(await value('puppetlabs.puppetdb.database:name=PDBWritePool.pool.Usage', 'Count'));
  const before = await count();
  for (let round = 0; round < 40; round++) await (await fetch(`${service.url}/metrics`)).text();
  // The service reads the ends of the log at most every two seconds. Its other tasks use the pool as well.
  expect((await count()) - before).toBeLessThan(30);
});

test('a client that asks for a path with a broken percent sign is told so', async () => {
  const status = await new Promise<number>((resolve, reject) => {
    request(`${service.url}/metrics/v2/read/%zz`, (answer) => resolve(answer.statusCode ?? 0))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(400);
});
