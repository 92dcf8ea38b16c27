/** Tests roles and tokens of a running service: every route with every role, and the audit log afterwards. */
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { Authority, type Issued } from '../support/certificates';
import { freePorts } from '../support/free-ports';
import { until } from '../support/until';
import { refusedStart, type RunningService, startService, temporaryDataDir } from './service';
import { runVerb, type VerbEnd } from './verb';

/** A certificate of an authority that the service does not know. */
const foreign = Authority.make('Strangers');
const strangers = foreign.issue('puppet.test');
const tokenRoles = ['submit', 'query', 'metrics', 'admin'] as const;

let dataDir: string;
let service: RunningService;
let tlsPort: number;
const authority = Authority.make('Roles');
/** Clients by the names of their certificates. */
const certificateRoles = {
  'puppet.test': ['submit', 'query'],
  web1: ['submit-own'],
  'ops.test': ['admin', 'metrics'],
  nobody: [],
};
const certificates = new Map<string, Issued>();
const secrets = new Map<string, string>();
const verb = (...args: string[]): Promise<VerbEnd> => runVerb([...args, '--data-dir', dataDir], dataDir);

beforeAll(async () => {
  dataDir = await temporaryDataDir();
  const entries = Object.entries(certificateRoles).filter(([, held]) => held.length > 0);
  const file = { certificates: entries.map(([name, held]) => ({ name, roles: held })) };
  await writeFile(join(dataDir, 'roles.yaml'), JSON.stringify(file));
  for (const name of Object.keys(certificateRoles)) certificates.set(name, authority.issue(name));
  const own = authority.issue('localhost');
  await writeFile(join(dataDir, 'ca.pem'), authority.certificate);
  [tlsPort = 0] = await freePorts(1);
  service = await startService({
    dataDir,
    env: {
      NODELEDGER_AUTHORIZATION: join(dataDir, 'roles.yaml'),
      NODELEDGER_LOG_LEVEL: 'debug',
      NODELEDGER_TLS_HOST: '127.0.0.1',
      NODELEDGER_TLS_PORT: String(tlsPort),
      NODELEDGER_TLS_CERT: own.cert,
      NODELEDGER_TLS_KEY: own.key,
      NODELEDGER_TLS_CA: join(dataDir, 'ca.pem'),
    },
  });
  await Promise.all(
    tokenRoles.map(async (role) => {
      const { code, stdout } = await verb('token', 'create', `t-${role}`, '--role', role);
      expect(code).toBe(0);
      secrets.set(role, (JSON.parse(stdout) as { token: string }).token);
    }),
  );
}, 120_000);
afterAll(async () => {
  await service.stop();
  authority.remove();
  foreign.remove();
  await rm(dataDir, { recursive: true, force: true });
});

const facts = JSON.stringify({
  certname: 'web1',
  environment: 'production',
  values: { kernel: 'Linux' },
  producer_timestamp: '2026-01-01T00:00:00Z',
  producer: 'puppet',
});

interface Route {
  readonly path: string;
  readonly needs: (typeof tokenRoles)[number] | 'open';
  readonly method?: string;
  readonly body?: string;
  /** The status of a request that is allowed. */
  readonly status: number;
}

const admin = (command: string, payload: unknown): string => JSON.stringify({ command, version: 1, payload });
const routes: readonly Route[] = [
  { path: '/', needs: 'open', status: 302 },
  { path: '/pdb/dashboard/index.html', needs: 'open', status: 200 },
  { path: '/status/v1/simple', needs: 'open', status: 200 },
  { path: '/status/v1/services', needs: 'open', status: 200 },
  { path: '/status/v1/services/puppetdb-status', needs: 'open', status: 200 },
  { path: '/pdb/meta/v1/version', needs: 'open', status: 200 },
  { path: '/pdb/meta/v1/server-time', needs: 'open', status: 200 },
  { path: '/pdb/meta/v1/version/latest', needs: 'open', status: 200 },
  { path: '/nodeledger/v1/live', needs: 'open', status: 200 },
  { path: '/nodeledger/v1/ready', needs: 'open', status: 200 },
  { path: '/nodeledger/v1/ready/read', needs: 'open', status: 200 },
  { path: '/metrics', needs: 'metrics', status: 200 },
  { path: '/metrics/v1/mbeans', needs: 'metrics', status: 200 },
  { path: '/metrics/v2/list', needs: 'metrics', status: 200 },
  { path: '/metrics/v2/read/java.lang:type=Memory', needs: 'metrics', status: 200 },
  { path: '/pdb/query/v4?query=nodes%7B%7D', needs: 'query', status: 200 },
  { path: '/pdb/query/v4/nodes', needs: 'query', status: 200 },
  { path: '/pdb/query/v4/nodes', needs: 'query', method: 'POST', body: '{"query": null}', status: 200 },
  { path: '/pdb/%71uery/v4/nodes', needs: 'query', status: 404 },
  {
    path: '/pdb/cmd/v1?command=replace_facts&version=5&certname=web1',
    needs: 'submit',
    method: 'POST',
    body: facts,
    status: 200,
  },
  { path: '/nodeledger/v1/agent-reports', needs: 'submit', method: 'POST', body: '{}', status: 400 },
  { path: '/pdb/admin/v1/cmd', needs: 'admin', method: 'POST', body: admin('clean', ['other']), status: 200 },
  {
    path: '/pdb/admin/v1/cmd',
    needs: 'admin',
    method: 'POST',
    body: admin('delete', { certname: 'web1' }),
    status: 200,
  },
  { path: '/nodeledger/v1/dead-letters', needs: 'admin', status: 200 },
  { path: '/nodeledger/v1/dead-letters/0-1', needs: 'admin', status: 404 },
  { path: '/nodeledger/v1/dead-letters/0-1/payload', needs: 'admin', status: 404 },
  { path: '/nodeledger/v1/dead-letters/0-1/retry', needs: 'admin', method: 'POST', status: 404 },
  { path: '/nodeledger/v1/dead-letters?all=true', needs: 'admin', method: 'DELETE', status: 200 },
];

async function ask({ path, method = 'GET', body }: Route, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  });
  await answer.text();
  return answer.status;
}

describe.each(routes.map((route) => ({ method: 'GET', ...route })))('$method $path', (route) => {
  test('without a credential', async () => {
    expect(await ask(route, {})).toBe(route.needs === 'open' ? route.status : 401);
  });

  test.each(tokenRoles)('with a token that has the role %s', async (role) => {
    const passes = route.needs === 'open' || route.needs === role;
    expect(await ask(route, { authorization: `Bearer ${secrets.get(role)}` })).toBe(passes ? route.status : 403);
  });
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

function askSecurely(
  { path, method = 'GET', body }: Route,
  { issued, headers = {} }: { readonly issued?: Issued | undefined; readonly headers?: Record<string, string> },
): Promise<Answer> {
  const credentials = issued === undefined ? {} : { cert: readFileSync(issued.cert), key: readFileSync(issued.key) };
  return new Promise((resolve, reject) => {
    const asking = request(
      `https://localhost:${tlsPort}${path}`,
      {
        method,
        ca: authority.certificate,
        ...credentials,
        agent: false,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        answer.once('error', reject);
      },
    );
    asking.once('error', reject);
    asking.end(body);
  });
}

describe.each(routes.map((route) => ({ method: 'GET', ...route })))('over TLS: $method $path', (route) => {
  test.each(Object.entries(certificateRoles))('with the certificate %s, which has the roles %j', async (name, held) => {
    const own = route.path.includes('certname=web1') && name === 'web1';
    const passes = route.needs === 'open' || (held as string[]).includes(route.needs) || own;
    // The certname of a report is known only after the report was read.
    const expected = passes || (name === 'web1' && route.path.includes('agent-reports')) ? route.status : 403;
    expect((await askSecurely(route, { issued: certificates.get(name) })).status).toBe(expected);
  });

  test('with a token and no certificate, with neither, and with a certificate of another authority', async () => {
    const isOpen = route.needs === 'open';
    const secret = secrets.get(isOpen ? 'query' : route.needs);
    expect((await askSecurely(route, { headers: { authorization: `Bearer ${secret}` } })).status).toBe(route.status);
    expect((await askSecurely(route, {})).status).toBe(isOpen ? route.status : 401);
    const refused = await askSecurely(route, { issued: strangers, headers: { authorization: `Bearer ${secret}` } });
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('no authority that this service knows'),
    ]);
  });
});

test('submit-own is for the node of the certificate', async () => {
  const other = {
    path: '/pdb/cmd/v1?command=replace_facts&version=5&certname=web2',
    needs: 'submit',
    method: 'POST',
    body: facts,
    status: 403,
  } as const;
  const oldForm = {
    ...other,
    path: '/pdb/cmd/v1',
    body: JSON.stringify({
      command: 'replace facts',
      version: 5,
      payload: { ...(JSON.parse(facts) as object), certname: 'web2' },
    }),
  };
  for (const route of [other, oldForm]) {
    const { status, text } = await askSecurely(route, { issued: certificates.get('web1') });
    expect([status, text]).toEqual([
      403,
      'Forbidden: the certificate web1 has the role submit-own, so it cannot submit commands for web2.',
    ]);
  }
});

test('the command line sends the token of NODELEDGER_TOKEN', async () => {
  const list = ['dead-letters', 'list', '--url', service.url];
  expect((await runVerb(list, dataDir)).stderr).toMatch(
    /needs a client certificate or a bearer token.*\nSet NODELEDGER_TOKEN, or give --cert and --key\./s,
  );
  const allowed = await runVerb(list, dataDir, { NODELEDGER_TOKEN: secrets.get('admin') ?? '' });
  expect([allowed.code, (JSON.parse(allowed.stdout) as { total: number }).total]).toEqual([0, 0]);
});

test('a token that is revoked is refused soon; the list shows its state', async () => {
  const query = routes.find(({ path }) => path === '/pdb/query/v4/nodes') as Route;
  const created = await verb('token', 'create', 'leaver', '--role', 'query', '--expires', '90d');
  const { token } = JSON.parse(created.stdout) as { token: string };
  expect(await ask(query, { 'x-authentication': token })).toBe(200);
  expect((await verb('token', 'revoke', 'leaver')).stdout).toBe('leaver is revoked\n');
  await until(async () => (await ask(query, { 'x-authentication': token })) === 401, {
    what: 'it is refused',
    withinMs: 10_000,
  });
  const { stdout } = await verb('token', 'list');
  expect(stdout).not.toContain(token);
  const tokens = (JSON.parse(stdout) as { tokens: { name: string; revoked: string | null }[] }).tokens;
  expect(tokens.find(({ name }) => name === 'leaver')?.revoked).toMatch(/^\d{4}-/);
  expect(tokens.find(({ name }) => name === 't-query')?.revoked).toBeNull();
});

test('the audit log says who did what', async () => {
  const { stdout } = await verb('audit', '--limit', '1000');
  const entries = (JSON.parse(stdout) as { entries: Record<string, unknown>[] }).entries;
  const found = (wanted: Record<string, unknown>): void =>
    expect(entries).toEqual(expect.arrayContaining([expect.objectContaining(wanted)]));
  found({ actor: 'token t-admin', address: '127.0.0.1', action: 'clean', outcome: 'done' });
  found({ actor: 'token t-admin', action: 'delete node', subject: 'web1', outcome: 'done' });
  found({
    actor: 'token t-admin',
    action: 'retry dead letter',
    subject: '0-1',
    outcome: 'failed: admin.no-letter',
  });
  found({ actor: 'token t-admin', action: 'purge dead letters', outcome: 'done' });
  found({ address: null, action: 'create token', subject: 'leaver', outcome: 'done' });
  found({ action: 'revoke token', subject: 'leaver', outcome: 'done' });
  found({ actor: 'certificate ops.test', action: 'delete node', subject: 'web1' });
  expect(entries.every(({ actor }) => /^(token t-admin|certificate ops\.test|user .+)$/.test(String(actor)))).toBe(
    true,
  );
});

test('the audit log names the certificate and the token where a request has both', async () => {
  const purge = routes.find(({ method }) => method === 'DELETE') as Route;
  const headers = { authorization: `Bearer ${secrets.get('admin')}` };
  expect((await askSecurely(purge, { issued: certificates.get('web1'), headers })).status).toBe(200);
  const { stdout } = await verb('audit', '--limit', '1');
  expect(JSON.parse(stdout)).toMatchObject({ entries: [{ actor: 'certificate web1 with the token t-admin' }] });
});

test('a page of another site cannot use the browser of somebody who is let in', async () => {
  for (const route of routes.filter(({ needs }) => needs !== 'open')) {
    const secret = secrets.get(route.needs);
    const origin = 'https://www.example.org';
    expect(await ask(route, { authorization: `Bearer ${secret}`, origin })).toBe(403);
    expect(await ask(route, { authorization: `Bearer ${secret}`, origin: service.url })).toBe(route.status);
  }
});

test('a change of the roles is used without a restart; one with a mistake raises an alert and changes nothing', async () => {
  const file = join(dataDir, 'roles.yaml');
  const query = routes.find(({ path }) => path === '/pdb/query/v4/nodes') as Route;
  const status = async (): Promise<number> => (await askSecurely(query, { issued: certificates.get('nobody') })).status;
  const alerts = async (): Promise<string[]> => {
    const answer = await fetch(`${service.url}/status/v1/services/puppetdb-status`);
    return ((await answer.json()) as { active_alerts: { code: string }[] }).active_alerts.map(({ code }) => code);
  };
  expect(await status()).toBe(403);
  await writeFile(file, 'certificates: [{name: nobody, roles: [query]}]');
  process.kill(service.pid, 'SIGHUP');
  await until(async () => (await status()) === 200);
  await writeFile(file, 'certificates: [{name: nobody, roles: [querry]}]');
  await until(async () => (await alerts()).includes('authorization.file'));
  expect(await status()).toBe(200);
  await writeFile(file, '');
  await until(async () => (await status()) === 403);
  await until(async () => (await alerts()).length === 0);
});

test('no token is in the output of the service', () => {
  expect(service.output()).not.toBe('');
  for (const secret of secrets.values()) expect(service.output()).not.toContain(secret);
});

test('a file with a mistake stops the start, with what would be right', async () => {
  const own = await temporaryDataDir();
  await writeFile(join(own, 'roles.yaml'), 'certificates: [{name: web1, roles: [querry]}]');
  const { code, output } = await refusedStart({
    dataDir: own,
    env: { NODELEDGER_AUTHORIZATION: join(own, 'roles.yaml') },
  });
  expect(code).toBe(1);
  expect(output).toMatch(/certificates\[0\]: there is no role querry; .* Did you mean query\?/);
  await rm(own, { recursive: true, force: true });
}, 60_000);
