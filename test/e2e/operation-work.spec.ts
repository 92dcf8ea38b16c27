/** Tests maintenance that a client starts over HTTP, in a service with its embedded PostgreSQL. */
import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Database, EmbeddedPostgres } from '#database';
import { gunzipSync } from 'node:zlib';
import { factset } from '../support/documents';
import { until } from '../support/until';
import { type RunningService, startService, temporaryDataDir } from './service';

jest.setTimeout(120_000);

interface Work {
  readonly id: string;
  readonly kind: string;
  readonly actor: string;
  readonly state: string;
  readonly ended: string | null;
  readonly progress: { readonly step: string; readonly done: number; readonly of: number } | null;
  readonly output: string;
}

const env = { NODELEDGER_GC_INTERVAL: '0', NODELEDGER_SNAPSHOT_INTERVAL: '0' };
let dataDir: string;
let service: RunningService;
beforeAll(async () => {
  dataDir = await temporaryDataDir();
  service = await startService({ dataDir, env });
  for (let index = 0; index < 40; index++) {
    const query = new URLSearchParams({ command: 'replace_facts', version: '5', certname: `node${index}` });
    await fetch(`${service.url}/pdb/cmd/v1?${query}&secondsToWaitForCompletion=20`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(factset(`node${index}`, { index })),
    });
  }
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const ask = (path: string, method = 'GET', body?: unknown): Promise<Response> =>
  fetch(`${service.url}/nodeledger/v1/operation${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
const works = async (): Promise<readonly Work[]> => ((await (await ask('/work')).json()) as { work: Work[] }).work;
const work = async (id: string): Promise<Work> => (await works()).find((one) => one.id === id)!;

async function start(body: unknown): Promise<string> {
  const answer = await ask('/work', 'POST', body);
  expect(answer.status).toBe(202);
  return ((await answer.json()) as { id: string }).id;
}
async function end(id: string): Promise<Work> {
  await until(async () => (await work(id)).ended !== null, { what: 'the end of the work' });
  return work(id);
}
async function query<Row>(text: string): Promise<Row[]> {
  const server = await EmbeddedPostgres.running(dataDir);
  const db = new Database({ connectionString: server!.connectionString, max: 1 });
  try {
    return await db.query<Row>({ text, values: [] });
  } finally {
    await db.close();
  }
}
/** Calls `during` while other maintenance holds the lock of the live tables, so that work waits. */
async function whileBlocked(during: () => Promise<void>): Promise<void> {
  const server = await EmbeddedPostgres.running(dataDir);
  const db = new Database({ connectionString: server!.connectionString, max: 1 });
  try {
    await db.transaction(async (session) => {
      await session.query({ text: 'LOCK TABLE nodeledger.generations IN ACCESS EXCLUSIVE MODE', values: [] });
      await during();
    });
  } finally {
    await db.close();
  }
}

test.each([
  ['verify', /the read tables agree with the log/],
  ['rebuild', /is live/],
  ['snapshot', /nothing to remove/],
  ['backup', /holds 40 records of the log/],
  ['export', /40 documents/],
])('%s runs and says what it has done', async (kind, output) => {
  const id = await start({ kind });
  expect(await end(id)).toMatchObject({
    kind,
    state: 'done',
    actor: 'anonymous',
    output: expect.stringMatching(output),
  });
  expect((await works())[0]!.id).toBe(id);
});

test('a backup and an export are below the data directory, and only their owner can read them', async () => {
  const folder = join(dataDir, 'backups');
  const names = (await readdir(folder)).sort();
  expect(names).toEqual(['backup', expect.stringMatching(/^export-\d{8}T\d{6}Z\.tgz$/)]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(gunzipSync(await readFile(join(folder, names[1]!))).toString('latin1')).toContain('nodeledger-bak/facts/');
  expect(await readdir(join(folder, 'backup'))).toContain('manifest.json');
});

test('a backup is refused if other users can write to its directory', async () => {
  const folder = join(dataDir, 'backups');
  await chmod(folder, 0o777);
  const refused = await ask('/work', 'POST', { kind: 'backup' });
  await chmod(folder, 0o700);
  expect([refused.status, refused.headers.get('x-nodeledger-error')]).toEqual([409, 'operation.work-directory']);
});

test('a second work is refused while one runs, and a stopped rebuild is resumed', async () => {
  let id = '';
  await whileBlocked(async () => {
    id = await start({ kind: 'rebuild' });
    const refused = await ask('/work', 'POST', { kind: 'verify' });
    expect([refused.status, refused.headers.get('x-nodeledger-error')]).toEqual([409, 'operation.work-running']);
    expect((await ask(`/work/${id}`, 'DELETE')).status).toBe(204);
    expect((await work(id)).state).toBe('stopping');
  });
  expect((await end(id)).state).toBe('stopped');
  const gone = await ask(`/work/${id}`, 'DELETE');
  expect([gone.status, gone.headers.get('x-nodeledger-error')]).toEqual([404, 'operation.no-work']);
  expect(await end(await start({ kind: 'rebuild', unfinished: 'restart' }))).toMatchObject({ state: 'done' });
});

test('rows that differ make a verification fail, and its output names them', async () => {
  const [live] = await query<{ schema: string }>(
    `SELECT schema_name AS schema FROM nodeledger.generations WHERE state = 'live'`,
  );
  await query(`UPDATE ${live!.schema}.nodes SET latest_report_status = 'damaged' WHERE certname = 'node7'`);
  const verdict = await end(await start({ kind: 'verify' }));
  expect(verdict).toMatchObject({ state: 'failed', output: expect.stringMatching(/nodes of node7: differs/) });
  expect(verdict.progress!.done).toBe(verdict.progress!.of);
});

test.each([
  ['[]', 400],
  ['{"kind": "drop"}', 400],
  ['{"kind": "backup", "directory": "/tmp"}', 400],
  ['{"kind": "verify", "unfinished": "resume"}', 400],
  [`{"kind": "${'x'.repeat(2_000)}"}`, 413],
])('the request %s is refused', async (body, status) => {
  const answer = await fetch(`${service.url}/nodeledger/v1/operation/work`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(answer.status).toBe(status);
});

test('the audit log has the start, the stop and the work', async () => {
  const actions = await query<{ actor: string; action: string; outcome: string }>(
    `SELECT actor, action, outcome FROM nodeledger.audit_log`,
  );
  expect(actions).toContainEqual({ actor: 'anonymous', action: 'start backup', outcome: 'done' });
  expect(actions).toContainEqual({
    actor: 'anonymous',
    action: 'start verify',
    outcome: 'failed: operation.work-running',
  });
  expect(actions).toContainEqual({ actor: 'anonymous', action: 'stop work', outcome: 'done' });
  expect(actions).toContainEqual(expect.objectContaining({ action: 'backup', outcome: 'done' }));
});

test('the service ends its work when it stops, and refuses work while the disk is almost full', async () => {
  await start({ kind: 'rebuild' });
  expect(await service.stop()).toBe(0);
  expect(await EmbeddedPostgres.running(dataDir)).toBeUndefined();
  service = await startService({ dataDir, env: { ...env, NODELEDGER_MIN_FREE_DISK: '9000000GB' } });
  const refusal = async (kind: string): Promise<string | null> =>
    (await ask('/work', 'POST', { kind })).headers.get('x-nodeledger-error');
  // The service looks at the disk for the first time after it listens.
  await until(async () => (await refusal('verify')) === 'database.disk-low', { what: 'a refusal' });
  expect(await refusal('backup')).toBe('database.disk-low');
});
