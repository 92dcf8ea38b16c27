/**
 * Tests rejected commands of a running service over HTTP and with the command line, and their retry after the cause is
 * gone.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Database } from '#database';
import { factset } from '../support/documents';
import { freshDatabase } from '../support/postgres';
import { processMegabytes } from '../support/process-memory';
import { startService, temporaryDataDir, type RunningService } from './service';
import { builtProgram } from '../support/built';
import { until } from '../support/until';

const run = promisify(execFile);
const tight = { NODELEDGER_MAX_COMMAND_SIZE: '1000' };
const values = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`fact_${index}`, 'x'.repeat(20)]));
const large = gzipSync(JSON.stringify(factset('large', values)));

interface Letter {
  readonly name: string;
  readonly certname: string;
  readonly attempts: number;
  readonly error: string;
}

describe('dead letters', () => {
  let dataDir: string;
  let service: RunningService;
  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    service = await startService({ dataDir, env: tight });
    // A declared size that is too small, so that only the projector finds the payload too large.
    await submit('replace_facts', 'large', large, { 'content-encoding': 'gzip', 'x-uncompressed-length': '900' });
    await submit('replace_facts', 'broken', Buffer.from('{"certname": '));
    await submit('store_report', 'broken', Buffer.from('[]'));
  });
  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function submit(command: string, certname: string, body: Buffer, headers = {}): Promise<void> {
    const query = new URLSearchParams({ command, version: '5', certname, secondsToWaitForCompletion: '20' });
    if (command === 'store_report') query.set('version', '8');
    const answer = await fetch(`${service.url}/pdb/cmd/v1?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: new Uint8Array(body),
    });
    expect(await answer.json()).toMatchObject({ processed: true, error: expect.any(String) });
  }
  async function ask(path = '', method = 'GET'): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${service.url}/nodeledger/v1/dead-letters${path}`, { method });
    return { status: answer.status, body: await answer.json() };
  }
  const list = async (query = ''): Promise<readonly Letter[]> =>
    ((await ask(query)).body as { letters: readonly Letter[] }).letters;
  const certnames = async (query = ''): Promise<string[]> => (await list(query)).map(({ certname }) => certname);
  const only = async (query: string): Promise<Letter> => (await list(query))[0] as Letter;
  const cli = async (...args: string[]): Promise<{ stdout: string; stderr: string; code: unknown }> => {
    const done = run(process.execPath, [builtProgram('cli'), 'dead-letters', ...args, '--url', service.url], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
    return done.then(
      (output) => ({ ...output, code: 0 }),
      (error: unknown) => error as { stdout: string; stderr: string; code: unknown },
    );
  };

  test('are listed newest first, filtered and paged', async () => {
    expect(await certnames()).toEqual(['broken', 'broken', 'large']);
    expect(await certnames('?certname=large')).toEqual(['large']);
    expect(await certnames('?command=store_report')).toEqual(['broken']);
    expect(await certnames('?since=2100-01-01')).toEqual([]);
    expect((await ask('?limit=1&offset=2')).body).toMatchObject({
      total: 3,
      offset: 2,
      letters: [{ certname: 'large' }],
    });
  });

  test('are shown one by one, with the payload as it came', async () => {
    const letter = await only('?certname=large');
    expect(await ask(`/${letter.name}`)).toEqual({ status: 200, body: letter });
    const payload = await fetch(`${service.url}/nodeledger/v1/dead-letters/${letter.name}/payload`);
    expect(payload.headers.get('content-type')).toBe('application/gzip');
    expect(Buffer.from(await payload.arrayBuffer())).toEqual(large);
  });

  test('wrong requests are told what is wrong', async () => {
    for (const path of ['/0-999', '/nonsense', '/0-999/payload']) {
      expect(await ask(path)).toEqual({
        status: 404,
        body: { error: expect.stringContaining('There is no dead letter') },
      });
    }
    expect(await ask('/0-999/retry', 'POST')).toMatchObject({ status: 404 });
    expect(await ask('/0-999', 'DELETE')).toMatchObject({ status: 404 });
    for (const [path, method] of [
      ['?limit=0', 'GET'],
      ['?node=a', 'GET'],
      ['?since=lately', 'GET'],
      ['', 'DELETE'],
      ['/retry', 'POST'],
    ]) {
      expect(await ask(path, method)).toEqual({ status: 400, body: { error: expect.any(String) } });
    }
    expect(await certnames()).toHaveLength(3);
  });

  test('the command line lists, shows and retries; a retry that fails again is one attempt more', async () => {
    const letter = await only('?command=store_report');
    const listed = await cli('list', '--certname', 'broken');
    expect(JSON.parse(listed.stdout)).toMatchObject({ total: 2, letters: [letter, { certname: 'broken' }] });
    expect(JSON.parse((await cli('show', letter.name)).stdout)).toEqual(letter);
    expect((await cli('show', letter.name, '--payload')).stdout).toBe('[]');
    const retried = await cli('retry', letter.name);
    expect(JSON.parse(retried.stdout)).toEqual({ retried: 1, applied: 0, rejected: 1, pending: 0 });
    expect(retried.code).toBe(1);
    expect(await list('?command=store_report')).toEqual([expect.objectContaining({ name: letter.name, attempts: 2 })]);
    expect(await cli('show', '0-999')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no dead letter 0-999'),
    });
    expect(await cli('purge')).toMatchObject({ code: 1, stderr: expect.stringContaining('--all') });
    const unconfirmed = await cli('purge', '--all');
    expect(unconfirmed).toMatchObject({ code: 1, stderr: expect.stringContaining('Give --yes. Nothing was changed.') });
    expect(await list()).toHaveLength(3);
  });

  test('a retry whose cause is gone is applied, and the letter leaves the list', async () => {
    const { name } = await only('?certname=large');
    expect(await service.stop()).toBe(0);
    service = await startService({ dataDir });
    expect(await ask(`/${name}/retry`, 'POST')).toEqual({
      status: 200,
      body: { retried: 1, applied: 1, rejected: 0, pending: 0 },
    });
    const facts = await fetch(`${service.url}/pdb/query/v4/nodes/large/facts`);
    expect(await facts.json()).toHaveLength(60);
    expect(await ask(`/${name}`)).toEqual({ status: 404, body: { error: expect.stringContaining('applied') } });
    expect(await certnames()).toEqual(['broken', 'broken']);
  });

  test('purged ones are gone, also after a restart', async () => {
    expect(await ask('?command=replace_facts', 'DELETE')).toEqual({ status: 200, body: { purged: 1 } });
    const [{ name }] = (await list()) as [Letter];
    const purged = await cli('purge', '0-999', name);
    expect(purged).toMatchObject({ code: 1, stderr: expect.stringContaining('no dead letter 0-999') });
    expect(JSON.parse(purged.stdout)).toEqual({ purged: 1 });
    expect(JSON.parse((await cli('purge', '--all', '--yes')).stdout)).toEqual({ purged: 0 });
    expect(await service.stop()).toBe(0);
    service = await startService({ dataDir });
    expect((await ask()).body).toEqual({ total: 0, offset: 0, letters: [] });
    expect(JSON.parse((await cli('retry', '--all')).stdout)).toMatchObject({ retried: 0 });
  });
});

test('trouble of the database makes no dead letters: all connections are broken again and again under load', async () => {
  const database = await freshDatabase();
  const dataDir = await temporaryDataDir();
  const killer = new Database({ connectionString: database.connectionString, max: 1 });
  const service = await startService({ dataDir, env: { DATABASE_URL: database.connectionString } });
  const nodes = Array.from({ length: 120 }, (_, index) => `node-${index}`);
  const submit = async (certname: string): Promise<number> => {
    const query = new URLSearchParams({ command: 'replace_facts', version: '5', certname });
    const answer = await fetch(`${service.url}/pdb/cmd/v1?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(factset(certname, { certname, list: [certname] })),
    });
    await answer.text();
    return answer.status;
  };
  const queue = [...nodes];
  const refused: number[] = [];
  const submitter = async (): Promise<void> => {
    for (let certname = queue.shift(); certname !== undefined; certname = queue.shift()) {
      for (let status = await submit(certname); status !== 200; status = await submit(certname)) {
        refused.push(status);
        await delay(20);
      }
    }
  };
  const total = async (path: string): Promise<number> => {
    const answer = await fetch(service.url + path);
    const found = (await answer.json()) as { total?: number } | unknown[];
    return Array.isArray(found) ? found.length : (found.total ?? -1);
  };
  try {
    const submitting = Promise.all(Array.from({ length: 4 }, submitter));
    for (let round = 0; round < 30; round++) {
      await killer.query({
        text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        values: [],
      });
      await delay(20);
    }
    await submitting;
    await until(async () => (await total('/pdb/query/v4/nodes')) === nodes.length, { what: 'queries show all nodes' });
    expect(await total('/nodeledger/v1/dead-letters')).toBe(0);
    expect(refused.every((status) => status >= 500)).toBe(true);
    // If the service reconnects at once, it raises no alert. Refused requests then show that it met the failures.
    const met = /does not answer|waits for the database|has ended/.test(service.output()) || refused.length > 0;
    expect(met).toBe(true);
    expect(await service.stop()).toBe(0);
  } finally {
    await service.stop();
    await killer.close();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

describe('a large letter', () => {
  const readers = 60;
  const bytes = 18_000_000;
  let dataDir: string;
  let service: RunningService;
  const sockets: Socket[] = [];
  const payload = Buffer.alloc(bytes, 'not JSON, ');
  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    service = await startService({ dataDir });
    const query = new URLSearchParams({ command: 'replace_facts', version: '5', certname: 'large' });
    const answer = await fetch(`${service.url}/pdb/cmd/v1?${query}&secondsToWaitForCompletion=60`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array(payload),
    });
    expect(await answer.json()).toMatchObject({ processed: true, error: expect.any(String) });
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('is sent in pieces: clients that do not read its payload hold little memory', async () => {
    const listed = (await (await fetch(`${service.url}/nodeledger/v1/dead-letters`)).json()) as { letters: Letter[] };
    const path = `/nodeledger/v1/dead-letters/${listed.letters[0]?.name}/payload`;
    const before = processMegabytes(service.pid, 'VmRSS');
    const { hostname, port } = new URL(service.url);
    const begun = Array.from({ length: readers }, () => {
      const socket = connect({ host: hostname, port: Number(port) });
      sockets.push(socket);
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
      // The client reads only the start of the answer.
      return once(socket, 'readable').then(() => socket.read(1) as Buffer);
    });
    expect((await Promise.all(begun)).map(String)).toEqual(Array.from({ length: readers }, () => 'H'));
    const whole = await fetch(service.url + path);
    expect(whole.headers.get('content-length')).toBe(String(bytes));
    expect(payload.equals(Buffer.from(await whole.arrayBuffer()))).toBe(true);
    expect(processMegabytes(service.pid, 'VmRSS') - before).toBeLessThan(300);
  });
});
