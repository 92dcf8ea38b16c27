/** Tests requests over HTTP with a real table of tokens. The answer contains the caller. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { All, Controller, Module, Req } from '@nestjs/common';
import { Database, migrateControlTables, statement } from '#database';
import { callerOf, type FastifyRequest, type HttpServer, openHttp } from '#http';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { FaultProxy } from '../../test/support/fault-proxy';
import { until } from '../../test/support/until';
import { Access, AuditLog, CertificateRoles, Gate, TokenCache, type Role, roles, TokenTable } from './index';

@Controller()
class Everything {
  @All([
    '',
    'pdb/query/v4/nodes',
    'pdb/cmd/v1',
    'pdb/admin/v1/cmd',
    'metrics/v2/list',
    'status/v1/simple',
    'nodeledger/v1/undescribed',
  ])
  who(@Req() request: FastifyRequest): object {
    return callerOf(request);
  }
}

@Module({ controllers: [Everything] })
class EverythingModule {}

let fresh: FreshDatabase;
let db: Database;
let table: TokenTable;
let tokens: TokenCache;
let server: HttpServer;
let access: Access;
const failures: unknown[] = [];
let aheadMs = 0;

const serverWith = (rules: Access): Promise<HttpServer> => {
  const gate = new Gate({ access: rules });
  return openHttp(EverythingModule, {
    listeners: [{ host: '127.0.0.1', port: 0 }],
    maxBodyBytes: 1_000,
    authorize: (request) => gate.check(request),
  });
};

beforeAll(async () => {
  fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
  db = new Database({ connectionString: fresh.connectionString, max: 2 });
  table = new TokenTable(db);
  tokens = new TokenCache({ table, onFailure: (error) => failures.push(error), now: () => Date.now() + aheadMs });
  await tokens.open();
  const certificates = CertificateRoles.parse(
    "certificates: [{name: puppet, roles: [submit]}, {name: 'web*', roles: [submit-own]}]",
    'x',
  );
  access = new Access(() => certificates, tokens);
  server = await serverWith(access);
});
afterAll(async () => {
  await server.close();
  await tokens.close();
  await db.close();
  await fresh.drop();
});

async function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<[number, string, string | undefined]> {
  const answer = await fetch(`${server.urls[0]}${path}`, { method, headers });
  return [answer.status, await answer.text(), answer.headers.get('x-nodeledger-error') ?? undefined];
}
const bearer = (secret: string): Record<string, string> => ({ authorization: `Bearer ${secret}` });

const needs: readonly (readonly [path: string, role: Role])[] = [
  ['/pdb/query/v4/nodes', 'query'],
  ['/pdb/cmd/v1', 'submit'],
  ['/pdb/admin/v1/cmd', 'admin'],
  ['/metrics/v2/list', 'metrics'],
  ['/nodeledger/v1/undescribed', 'admin'],
];

describe.each(roles.filter((role) => role !== 'submit-own'))('a token with the role %s', (role) => {
  let secret: string;
  beforeAll(async () => {
    secret = await table.create({ name: `only ${role}`, roles: [role], expires: undefined });
  });

  test.each(needs)('%s needs %s', async (path, needed) => {
    const [status, text, code] = await ask(path, bearer(secret));
    if (needed === role) expect([status, JSON.parse(text)]).toEqual([200, { secure: false, token: `only ${role}` }]);
    else {
      expect([status, code]).toEqual([403, 'access.role']);
      expect(text).toContain(`needs the role ${needed}; the token only ${role} has the role ${role}`);
    }
  });

  test('the status is open, and a path that does not exist is told so', async () => {
    expect((await ask('/status/v1/simple', bearer(secret)))[0]).toBe(200);
    expect((await ask('/no/such', bearer(secret)))[0]).toBe(404);
  });
});

test.each([...needs.map(([path]) => path), '/no/such', '/pdb/query/v4/n%6fdes'])(
  '%s: 401 without a credential',
  async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect((await ask(path, {}, method)).slice(0, 1)).toEqual([401]);
    }
    const answer = await fetch(`${server.urls[0]}${path}`);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="nodeledger"');
    expect(await answer.text()).toMatch(/needs a client certificate or a bearer token/);
  },
);

test('the target *: 401 without a credential', async () => {
  const socket = connect(Number(new URL(server.urls[0]!).port), '127.0.0.1');
  socket.end('GET * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
});

test('the status needs no credential, and a wrong one does no harm there', async () => {
  expect((await ask('/status/v1/simple'))[0]).toBe(200);
  expect((await ask('/status/v1/simple', bearer('nonsense')))[0]).toBe(200);
});

test('roles add up; X-Authentication is read too; Authorization counts where both are there', async () => {
  const both = await table.create({ name: 'both', roles: ['query', 'submit'], expires: undefined });
  expect((await ask('/pdb/query/v4/nodes', { 'x-authentication': both }))[0]).toBe(200);
  expect((await ask('/pdb/cmd/v1', bearer(both)))[0]).toBe(200);
  expect((await ask('/pdb/cmd/v1', { ...bearer('wrong'), 'x-authentication': both }))[0]).toBe(401);
});

test.each([
  ['an unknown one', `nlt_${'A'.repeat(43)}`, /is not known/],
  ['a long one', 'x'.repeat(200_000), /is not known/],
  ['a long one that begins as tokens do', `nlt_${'A'.repeat(200_000)}`, /is not known/],
])('%s is refused', async (_, secret, reason) => {
  const [status, text, code] = await ask('/pdb/query/v4/nodes', bearer(secret));
  expect([status, code]).toEqual([401, 'access.token']);
  expect(text).toMatch(reason);
  expect(text).not.toContain(secret.slice(0, 20));
});

test.each(
  ['Basic YTpi', 'Bearer', 'Bearer a b', '', `Bearer${' '.repeat(200_000)}a b`, `Bearer ${'a'.repeat(200_000)} b`].map(
    (authorization) => [authorization.slice(0, 20), authorization] as const,
  ),
)('Authorization: %j is no bearer token', async (_, authorization) => {
  const [status, text] = await ask('/pdb/query/v4/nodes', { authorization });
  expect(status).toBe(401);
  expect(text).toMatch(/Authorization has no bearer token/);
});

test('X-Authentication of any length, and twice, is a token that is not known', async () => {
  for (const text of ['', ' ', 'x'.repeat(200_000), `x${' '.repeat(200_000)}x`, `${'a, '.repeat(50_000)}a`]) {
    const [status, answer, code] = await ask('/pdb/query/v4/nodes', { 'x-authentication': text });
    expect([status, code]).toEqual([401, 'access.token']);
    expect(answer.length).toBeLessThan(500);
  }
});

test('a token is valid from its creation on until it expires or is revoked', async () => {
  const secret = await table.create({ name: 'short', roles: ['query'], expires: new Date(Date.now() + 60_000) });
  expect((await ask('/pdb/query/v4/nodes', bearer(secret)))[0]).toBe(200);
  aheadMs = 61_000;
  expect((await ask('/pdb/query/v4/nodes', bearer(secret)))[1]).toMatch(/has expired/);
  aheadMs = 0;
  await table.revoke('short', { remove: false });
  await until(async () => (await ask('/pdb/query/v4/nodes', bearer(secret)))[0] === 401, {
    what: 'it is refused',
    withinMs: 5_000,
  });
  expect((await ask('/pdb/query/v4/nodes', bearer(secret)))[1]).toMatch(/was revoked/);
});

describe('while PostgreSQL is down', () => {
  let proxy: FaultProxy;
  let behind: Database;
  let known: TokenCache;
  let own: HttpServer;
  const lost: unknown[] = [];

  beforeAll(async () => {
    const url = new URL(fresh.connectionString);
    proxy = await FaultProxy.open(Number(url.port));
    url.host = proxy.address;
    // Removes the path of the socket from the URL, because the socket would bypass the proxy.
    url.search = '';
    behind = new Database({ connectionString: url.href, max: 1, statementTimeoutMs: 10_000, connectTimeoutMs: 10_000 });
    known = new TokenCache({ table: new TokenTable(behind), onFailure: (error) => lost.push(error) });
    await known.open();
    own = await serverWith(new Access(() => CertificateRoles.parse('', 'x'), known));
  });
  afterAll(async () => {
    await own.close();
    proxy.pass();
    await proxy.accept();
    await known.close();
    await behind.close();
    await proxy.close();
  });

  test.each([
    [
      'refuses connections',
      async () => {
        await proxy.refuse();
        proxy.cut();
      },
    ],
    ['does not answer', async () => proxy.stall()],
  ])('it %s: known tokens work, others are answered 503 soon, and 401 afterwards', async (_, breakIt) => {
    const ask = async (headers: Record<string, string>): Promise<Response> =>
      fetch(`${own.urls[0]}/pdb/query/v4/nodes`, { headers });
    const secret = await table.create({ name: `before ${_}`, roles: ['query'], expires: undefined });
    expect((await ask(bearer(secret))).status).toBe(200);
    await breakIt();
    const startedAt = performance.now();
    const answer = await ask(bearer(`nlt_${'B'.repeat(43)}`));
    // The statement and the connection would end only after ten seconds.
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    expect([answer.status, answer.headers.get('x-nodeledger-error'), answer.headers.get('retry-after')]).toEqual([
      503,
      'access.unchecked',
      '2',
    ]);
    expect(await answer.text()).toMatch(/^The token of this request cannot be checked/);
    expect((await ask(bearer(secret))).status).toBe(200);
    expect((await ask(bearer('no token'))).status).toBe(401);
    proxy.pass();
    await proxy.accept();
    await until(async () => (await ask(bearer(`nlt_${'B'.repeat(43)}`))).status === 401, { withinMs: 30_000 });
  });
});

test('many unknown tokens cause few looks at the table', async () => {
  const before = await looks();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => ask('/pdb/cmd/v1', bearer(`nlt_${String(n).padStart(43, 'x')}`))),
  );
  expect(new Set(answers.map(([status]) => status))).toEqual(new Set([401]));
  expect((await looks()) - before).toBeLessThan(10);
});

/** Returns the number of times that the table was read. */
async function looks(): Promise<number> {
  await db.query(statement`SELECT pg_stat_force_next_flush()`);
  const [row] = await db.query<{ count: string }>(
    statement`SELECT (seq_scan + idx_scan)::text AS count FROM pg_stat_all_tables WHERE schemaname = 'nodeledger' AND relname = 'tokens'`,
  );
  return Number(row?.count);
}

describe('certificates', () => {
  test('a name has the roles of the entries that fit it', async () => {
    expect(await access.admit('submit', { certname: 'puppet' })).toEqual({ certname: 'puppet' });
    await expect(access.admit('query', { certname: 'puppet' })).rejects.toMatchObject({ code: 'access.role' });
    await expect(access.admit('any', { certname: 'stranger' })).rejects.toMatchObject({
      message: 'Forbidden: this request needs some role; the certificate stranger has no role.',
    });
  });

  test('submit-own allows nothing to a token, which has no name of a node', async () => {
    const secret = await table.create({ name: 'own', roles: ['submit-own'], expires: undefined });
    await expect(access.admit('submit', { secret })).rejects.toMatchObject({ code: 'access.role' });
  });

  test('submit-own is limited to the name of the certificate', async () => {
    expect(await access.admit('submit', { certname: 'web1' })).toEqual({ certname: 'web1', onlyCertname: 'web1' });
  });

  test('a token lends its roles to a certificate; a wrong one is refused even so', async () => {
    const secret = await table.create({ name: 'lent', roles: ['query'], expires: undefined });
    expect(await access.admit('query', { certname: 'web1', secret })).toEqual({ certname: 'web1', token: 'lent' });
    await expect(access.admit('admin', { certname: 'puppet', secret })).rejects.toMatchObject({
      message:
        'Forbidden: this request needs the role admin; the certificate puppet with the token lent has the roles submit, query.',
    });
    await expect(access.admit('submit', { certname: 'puppet', secret: 'wrong' })).rejects.toMatchObject({
      code: 'access.token',
    });
  });
});

test('a token is not valid any more at the time when it expires', async () => {
  const end = Date.UTC(2030, 0, 1);
  const secret = await table.create({ name: 'ends', roles: ['query'], expires: new Date(end) });
  let now = end - 1;
  const own = new TokenCache({ table, onFailure: (error) => failures.push(error), now: () => now });
  await own.open();
  expect(await own.find(secret)).toMatchObject({ name: 'ends' });
  now = end;
  expect(await own.find(secret)).toBe('expired');
  await own.close();
});

describe('the table of tokens', () => {
  test('stores no token, only its hash', async () => {
    const secret = await table.create({ name: 'hidden', roles: ['query'], expires: undefined });
    const [row] = await db.query<{ all: string }>(
      statement`SELECT string_agg(t::text, ' ') AS all FROM nodeledger.tokens t`,
    );
    expect(row?.all).toContain('hidden');
    expect(row?.all).not.toContain(secret.slice(4));
  });

  test.each([
    ['', 'token.name'],
    ['a\nb', 'token.name'],
    ['x'.repeat(101), 'token.name'],
    ['hidden', 'token.exists'],
  ])('the name %j is refused', async (name, code) => {
    await expect(table.create({ name, roles: ['query'], expires: undefined })).rejects.toMatchObject({ code });
  });

  test('one that is not there cannot be revoked', async () => {
    await expect(table.revoke('nobody', { remove: false })).rejects.toMatchObject({ code: 'token.missing' });
    await table.revoke('hidden', { remove: true });
    expect((await table.list()).map(({ name }) => name)).not.toContain('hidden');
  });

  test('a second revocation does not change the time of the first', async () => {
    await table.create({ name: 'twice', roles: ['query'], expires: undefined });
    const revoked = async (): Promise<unknown> => {
      await table.revoke('twice', { remove: false });
      return (await table.list()).find(({ name }) => name === 'twice')?.revoked;
    };
    const first = await revoked();
    expect(first).toBeInstanceOf(Date);
    expect(await revoked()).toEqual(first);
  });

  test('tells when a token was last used', async () => {
    const secret = await table.create({ name: 'used', roles: ['query'], expires: undefined });
    const own = new TokenCache({ table, onFailure: (error) => failures.push(error) });
    await own.open();
    expect(await own.find(secret)).toMatchObject({ name: 'used' });
    await own.close();
    const used = (await table.list()).find(({ name }) => name === 'used')?.lastUsed?.getTime() ?? 0;
    expect(Math.abs(used - Date.now())).toBeLessThan(60_000);
  });
});

test('a further token is refused when there are 10,000', async () => {
  await db.query(statement`
    INSERT INTO nodeledger.tokens (name, hash, roles)
    SELECT 'many ' || n, sha256(n::text::bytea), '{query}' FROM generate_series(1, 10000) AS n`);
  const another = (name: string): Promise<string> => table.create({ name, roles: ['query'], expires: undefined });
  await expect(another('one more')).rejects.toMatchObject({ code: 'token.too-many' });
  // If the name exists, the fault says so, even if there are too many tokens.
  await expect(another('many 1')).rejects.toMatchObject({ code: 'token.exists' });
  await db.query(statement`DELETE FROM nodeledger.tokens WHERE name LIKE 'many %'`);
});

describe('the audit log', () => {
  const action = { actor: 'token x', address: '127.0.0.1', action: 'delete node', subject: 'web1\u0000' };

  test('an entry is there before the work begins, and gets the outcome', async () => {
    const audit = new AuditLog(db);
    const during = await audit.record(action, () => audit.list({ limit: 1 }));
    expect(during).toMatchObject([{ actor: 'token x', action: 'delete node', subject: 'web1\ufffd', outcome: null }]);
    expect(await audit.list({ limit: 1 })).toMatchObject([{ outcome: 'done' }]);
    await expect(audit.record(action, () => table.revoke('nobody', { remove: false }))).rejects.toThrow();
    expect(await audit.list({ limit: 1 })).toMatchObject([{ outcome: 'failed: token.missing' }]);
    await audit.record({ ...action, subject: null }, () => Promise.reject(new Error('x'))).catch(() => undefined);
    expect(await audit.list({ limit: 1 })).toMatchObject([{ subject: null, outcome: 'failed: unexpected error' }]);
  });

  test('if the outcome cannot be stored, the client is told the outcome of the action', async () => {
    const audit = new AuditLog(db);
    const rename = (from: string, to: string): Promise<unknown> =>
      db.query({ text: `ALTER TABLE nodeledger.${from} RENAME TO ${to}`, values: [] });
    const hideTable = (): Promise<unknown> => rename('audit_log', 'hidden');
    expect(await audit.record(action, () => hideTable().then(() => 'result'))).toBe('result');
    await rename('hidden', 'audit_log');
    const failing = audit.record(action, () => hideTable().then(() => Promise.reject(new Error('the action failed'))));
    await expect(failing).rejects.toThrow('the action failed');
    await rename('hidden', 'audit_log');
    expect(await audit.list({ limit: 2 })).toMatchObject([{ outcome: null }, { outcome: null }]);
  });

  test('old entries are removed', async () => {
    const audit = new AuditLog(db);
    await db.query(statement`UPDATE nodeledger.audit_log SET at = at - interval '2 days' WHERE outcome = 'done'`);
    expect(await audit.purge(new Date(Date.now() - 86_400_000))).toBe(1);
    expect((await audit.list({ limit: 10 })).map(({ outcome }) => outcome)).not.toContain('done');
  });
});

test('the table could always be read', () => expect(failures).toEqual([]));
