/**
 * Tests a disk with less free space than the reserve: the service refuses commands with the reason, does everything
 * else, and loses no accepted command. `npm run test:chaos -- disk-full` really fills a disk.
 */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askQuery } from '../support/ask-query';
import { factset } from '../support/documents';
import { until } from '../support/until';
import { startService, temporaryDataDir, type RunningService } from './service';
import { runVerb, type VerbEnd } from './verb';

const agentReport = {
  host: 'c',
  time: '2026-01-01T00:00:00Z',
  configuration_version: 1,
  report_format: 9,
  agent_version: '8',
  status: 'unchanged',
  transaction_completed: true,
  noop: false,
  noop_pending: false,
  environment: 'production',
  resource_statuses: {},
  logs: [],
  metrics: { time: { name: 'time', label: 'Time', values: [] } },
};
/** More than any disk has. */
const tooMuch = { NODELEDGER_MIN_FREE_DISK: '9000000GB' };

let dataDir: string;
let service: RunningService;
beforeAll(async () => {
  dataDir = await temporaryDataDir();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const submit = (certname: string): Promise<Response> =>
  post(
    `/pdb/cmd/v1?${new URLSearchParams({ command: 'replace facts', version: '5', certname, secondsToWaitForCompletion: '20' })}`,
    factset(certname, { role: 'web' }),
  );
const deleteNode = async (certname: string): Promise<void> => {
  const answer = await post('/pdb/admin/v1/cmd', { command: 'delete', version: 1, payload: { certname } });
  expect(await answer.json()).toEqual({ deleted: certname });
};
const certnames = async (): Promise<string[]> =>
  (await askQuery<{ certname: string }[]>(service, 'nodes')).map(({ certname }) => certname).sort();
const verb = (...args: string[]): Promise<VerbEnd> => runVerb(args, dataDir);
const status = async (path: string): Promise<number> => (await fetch(service.url + path)).status;

test('refuses commands below the reserve and answers everything else, until there is space again', async () => {
  service = await startService({ dataDir });
  for (const certname of ['a', 'b', 'imported']) expect((await submit(certname)).status).toBe(200);
  const archive = join(dataDir, 'archive.tgz');
  await writeFile(archive, Buffer.from(await (await fetch(`${service.url}/pdb/admin/v1/archive`)).arrayBuffer()));
  await deleteNode('imported');
  await service.stop();

  service = await startService({ dataDir, env: tooMuch });
  try {
    await until(async () => (await status('/nodeledger/v1/ready/write')) === 503, { what: 'the refusal' });
    const refused = await submit('c');
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('x-nodeledger-error')]).toEqual([
      503,
      '5',
      'database.disk-low',
    ]);
    const { error } = (await refused.json()) as { error: string };
    expect(error).toMatch(/^The disk of .* is almost full: .* are free, and 9000 TB must stay free/);
    expect(error).toContain('Enlarge the file system');
    const report = await post('/nodeledger/v1/agent-reports', agentReport);
    expect([report.status, report.headers.get('x-nodeledger-error')]).toEqual([503, 'database.disk-low']);
    const imported = await verb('import', archive, '--url', service.url);
    expect([imported.code, imported.stderr]).toEqual([1, expect.stringContaining('is almost full')]);

    expect(await certnames()).toEqual(['a', 'b']);
    expect(await status('/nodeledger/v1/ready/read')).toBe(200);
    expect(await status('/status/v1/simple')).toBe(200);
    await deleteNode('b');
    const clean = await post('/pdb/admin/v1/cmd', { command: 'clean', version: 1, payload: ['purge_reports'] });
    expect(await clean.json()).toEqual({ ok: true });
    expect(await certnames()).toEqual(['a']);

    const [told, doctor] = [await verb('status', '--url', service.url), await verb('doctor', '--data-dir', dataDir)];
    expect(JSON.parse(told.stdout)).toMatchObject({
      state: 'running',
      status: {
        'rejecting_commands?': true,
        storage: {
          log_bytes: expect.any(Number) as number,
          table_bytes: expect.any(Number) as number,
          disk: { free_bytes: expect.any(Number) as number, reserve_bytes: 9e15 },
        },
      },
      active_alerts: [{ code: 'database.disk-low' }],
    });
    expect(doctor.stdout).toContain('are free on the disk of');
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/^nodeledger_disk_bytes\{state="reserve"\} 9000000000000000/m);
    expect(metrics).toMatch(/^nodeledger_storage_bytes\{part="log"\} \d/m);
    expect(metrics).toMatch(/^nodeledger_alert\{code="database.disk-low"\} 1/m);
  } finally {
    await service.stop();
  }

  service = await startService({ dataDir });
  try {
    expect((await submit('c')).status).toBe(200);
    expect(await certnames()).toEqual(['a', 'c']);
  } finally {
    await service.stop();
  }
}, 180_000);
