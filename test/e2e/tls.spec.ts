/** Tests the service over HTTPS, from `ssl-setup` on. Takes about twenty seconds. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { request as send } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Authority, type Issued } from '../support/certificates';
import { until } from '../support/until';
import { refusedStart, type RunningService, startService, temporaryDataDir } from './service';
import { runTool, runVerb } from './verb';

let dataDir: string;
let service: RunningService | undefined;
const authority = Authority.make('CA');
const client = authority.issue('puppet.test');
/** The settings that ssl-setup prints. */
let settings: Record<string, string>;
let list: string;

beforeAll(async () => {
  dataDir = await temporaryDataDir();
  list = join(dataDir, 'names');
  const ssldir = join(dataDir, 'agent');
  for (const part of ['certs', 'private_keys']) mkdirSync(join(ssldir, part), { recursive: true });
  const own = authority.issue('db.test');
  copyFileSync(own.cert, join(ssldir, 'certs/db.test.pem'));
  copyFileSync(own.key, join(ssldir, 'private_keys/db.test.pem'));
  writeFileSync(join(ssldir, 'certs/ca.pem'), authority.certificate);
  writeFileSync(join(ssldir, 'crl.pem'), authority.revocationList());
  const end = await runVerb(['ssl-setup', '--ssldir', ssldir, '--data-dir', dataDir], dataDir);
  expect(end).toMatchObject({ code: 0, stderr: '' });
  settings = Object.fromEntries(
    [...end.stdout.matchAll(/^(NODELEDGER_TLS_\w+)=(.+)$/gm)].map(([, key = '', path = '']) => [key, path]),
  );
  expect(Object.keys(settings)).toHaveLength(4);
  writeFileSync(list, 'puppet.test\n');
});
afterAll(async () => {
  await service?.stop();
  authority.remove();
  rmSync(dataDir, { recursive: true });
});

const loopback = { NODELEDGER_TLS_HOST: '127.0.0.1', NODELEDGER_TLS_PORT: '0' };

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

const base = (): string => /https:\/\/127\.0\.0\.1:\d+/.exec(service?.output() ?? '')?.[0] ?? '';

function ask(path: string, issued: Issued, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { 'content-type': 'application/json' };
    const tls = { ca: authority.certificate, cert: readFileSync(issued.cert), key: readFileSync(issued.key) };
    const sent = send(base() + path, { ...tls, method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.once('end', () => resolve({ status: answer.statusCode, body: text }));
    });
    sent.once('error', reject).end(body);
  });
}

const http2 = (issued: Issued): ClientHttp2Session =>
  connect(base(), {
    ca: authority.certificate,
    cert: readFileSync(issued.cert),
    key: readFileSync(issued.key),
  });

/** Returns the answer over HTTP/2. */
function askHttp2(session: ClientHttp2Session, path: string, body?: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const stream = session.request({ ':path': path, ...(body === undefined ? {} : { ':method': 'POST', ...packed }) });
    let status: number | undefined;
    let text = '';
    stream.on('response', (headers) => (status = headers[':status']));
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    stream.once('error', reject).once('close', () => resolve({ status, body: text }));
    stream.end(body);
  });
}

const curlHasHttp2 = execFileSync('curl', ['--version'], { encoding: 'utf8' }).includes('HTTP2');

/** Returns the version of HTTP, and the answer. */
function curl(path: string, issued: Issued, ...more: string[]): [version: string, body: string] {
  const files = ['--cacert', settings['NODELEDGER_TLS_CA']!, '--cert', issued.cert, '--key', issued.key];
  const url = base().replace('127.0.0.1', 'localhost') + path;
  const said = execFileSync('curl', ['-s', '-m', '20', '-w', '\n%{http_version}', ...files, ...more, url], {
    encoding: 'utf8',
  });
  const at = said.lastIndexOf('\n');
  return [said.slice(at + 1), said.slice(0, at)];
}

const alerts = async (): Promise<string[]> => {
  const { body } = await ask('/status/v1/services/puppetdb-status', client);
  const { active_alerts: active } = JSON.parse(body) as { active_alerts: { code: string }[] };
  return active.map(({ code }) => code);
};

test('without one of the files, or with a wrong one, the service does not start and says what to do', async () => {
  const half = { ...settings, NODELEDGER_TLS_KEY: '' };
  expect(await refusedStart({ dataDir, env: half })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/NODELEDGER_TLS_CERT is set, but NODELEDGER_TLS_KEY is not: set it/) as string,
  });
  const env = { ...settings, NODELEDGER_TLS_KEY: client.key };
  expect(await refusedStart({ dataDir, env })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/The private key .* does not match the certificate .*\n.*Take both/) as string,
  });
});

const facts = {
  certname: 'web1',
  environment: 'production',
  values: { role: 'web' },
  producer_timestamp: new Date().toISOString(),
  producer: 'puppet.test',
};
const path = '/pdb/cmd/v1?command=replace_facts&version=5&certname=web1&secondsToWaitForCompletion=20';

test('by default, a certificate may submit documents of its own name only, and HTTP on loopback everything', async () => {
  service = await startService({ dataDir, env: { ...settings, ...loopback } });
  expect(service.output()).toMatch(
    /^access {2}over HTTPS, certificates may submit documents of their own name only .*; over HTTP, every client may do everything$/m,
  );
  const agent = authority.issue('web1');
  const body = JSON.stringify(facts);
  expect(await ask(path, agent, body)).toMatchObject({ status: 200 });
  const refused = {
    status: 403,
    body: expect.stringContaining('the certificate web1 has the role submit-own') as string,
  };
  expect(await ask(path.replace('web1', 'web2'), agent, body.replace('web1', 'web2'))).toMatchObject(refused);
  for (const other of ['/pdb/query/v4/nodes', '/metrics', '/nodeledger/v1/dead-letters']) {
    expect(await ask(other, agent)).toMatchObject(refused);
  }
  expect(await ask('/status/v1/simple', agent)).toEqual({ status: 200, body: 'running' });
  expect(await (await fetch(`${service.url}/pdb/query/v4/nodes`)).json()).toMatchObject([{ certname: 'web1' }]);
  expect(await service.stop()).toBe(0);
  service = undefined;
}, 60_000);

test('HTTPS alone: commands, queries, the allowlist, changes of files, and an orderly end', async () => {
  service = await startService({
    dataDir,
    env: {
      ...{ ...settings, ...loopback, NODELEDGER_CLEARTEXT: 'false', NODELEDGER_CERTIFICATE_ALLOWLIST: list },
      NODELEDGER_DRAIN_DELAY: '3s',
    },
  });
  expect(service.url).toMatch(/^https:/);
  // The certificate of the service is not on the list, so there is no example that works with it.
  expect(service.output()).not.toContain('curl');
  expect(service.output()).not.toContain('http://');
  expect(await ask(path, client, JSON.stringify(facts))).toMatchObject({ status: 200 });
  const found = await ask('/pdb/query/v4/facts/role', client);
  expect(JSON.parse(found.body)).toMatchObject([{ certname: 'web1', value: 'web' }]);

  const session = http2(client);
  const packed = gzipSync(JSON.stringify({ ...facts, values: { role: 'packed' } }));
  expect(await askHttp2(session, path, packed)).toMatchObject({ status: 200 });
  const names = `/pdb/query/v4?query=${encodeURIComponent('nodes[certname]{}')}`;
  const paths = ['/pdb/query/v4/facts/role', '/status/v1/simple', `${names}&format=csv`, `${names}&format=ndjson`];
  expect(await Promise.all(paths.map((one) => askHttp2(session, one)))).toEqual([
    { status: 200, body: expect.stringContaining('"packed"') as string },
    { status: 200, body: 'running' },
    { status: 200, body: 'certname\r\nweb1\r\n' },
    { status: 200, body: expect.stringMatching(/^\{"certname" ?: ?"web1"\}\n$/) as string },
  ]);
  if (curlHasHttp2) {
    const query = ['--compressed', '-H', 'content-type: application/json', '-d', '{"query":"nodes[certname]{}"}'];
    expect(curl('/status/v1/simple', client)).toEqual(['2', 'running']);
    expect(curl('/status/v1/simple', client, '--http1.1')).toEqual(['1.1', 'running']);
    const [version, body] = curl('/pdb/query/v4', client, ...query);
    expect([version, JSON.parse(body)]).toEqual(['2', [{ certname: 'web1' }]]);
  }

  const url = service.url.replace('127.0.0.1', 'localhost');
  const letters = ['dead-letters', 'list', '--json', '--url', url];
  const shown = ['--cert', client.cert, '--key', client.key, '--ca', settings['NODELEDGER_TLS_CA']!];
  const none = { code: 0, stdout: expect.stringContaining('"total": 0') as string };
  expect(await runVerb([...letters, ...shown], dataDir)).toMatchObject(none);
  const ownFiles = { ...settings, NODELEDGER_TLS_CERT: client.cert, NODELEDGER_TLS_KEY: client.key };
  expect(await runVerb(letters, dataDir, ownFiles)).toMatchObject(none);
  expect(await runVerb([...letters, ...shown.slice(4)], dataDir)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('This service asks each client for a certificate') as string,
  });
  expect(await runVerb(letters, dataDir)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/the connection to https:.* failed: .*certificate.*\n.*--ca/) as string,
  });
  const fleet = ['fleet', '--nodes', '1', '--runs', '1', '--wait', '--url', url, ...shown];
  expect(await runTool(fleet, dataDir)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('3 commands accepted, 0 failed') as string,
  });

  expect(service.output()).toMatch(/^access {2}over HTTPS, the certificates in \S+ may do everything$/m);
  const agent = authority.issue('web1.test');
  expect(await ask('/pdb/query/v4/nodes', agent)).toMatchObject({
    status: 403,
    body: expect.stringContaining('The client certificate name web1.test doesnt appear') as string,
  });
  expect(await ask('/nodeledger/v1/dead-letters', agent)).toMatchObject({ status: 403 });
  expect(await ask('/status/v1/simple', agent)).toEqual({ status: 200, body: 'running' });
  writeFileSync(list, 'puppet.test\nweb1.test\n');
  process.kill(service.pid, 'SIGHUP');
  await until(async () => (await ask('/pdb/query/v4/nodes', agent)).status === 200, { withinMs: 10_000 });

  authority.revoke(agent);
  writeFileSync(settings['NODELEDGER_TLS_CRL']!, authority.revocationList());
  // A connection of the client that is open at that moment breaks.
  const refused = async (): Promise<boolean> => (await ask('/status/v1/simple', agent)).status === 403;
  await until(() => refused().catch(() => false), { withinMs: 10_000 });

  const key = readFileSync(settings['NODELEDGER_TLS_KEY']!);
  writeFileSync(settings['NODELEDGER_TLS_KEY']!, 'damaged');
  await until(async () => (await alerts()).includes('tls.files'));
  writeFileSync(settings['NODELEDGER_TLS_KEY']!, key);
  await until(async () => (await alerts()).length === 0);

  const stopped = service.stop();
  await until(async () => (await ask('/status/v1/simple', client)).status === 503, { withinMs: 2_900 });
  const told = once(session, 'goaway');
  expect((await askHttp2(session, '/pdb/query/v4/facts/role')).status).toBe(200);
  await told;
  expect(await ask('/pdb/query/v4/facts/role', client)).toMatchObject({ status: 200 });
  expect(await stopped).toBe(0);
  service = undefined;
}, 120_000);
