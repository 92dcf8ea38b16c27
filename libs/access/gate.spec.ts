/** Tests the decisions that depend on headers and the connection of a request. access.int.spec.ts tests the roles. */
import type { IncomingHttpHeaders } from 'node:http';
import { isFault } from '#fault';
import { type Caller, type FastifyRequest, setCaller } from '#http';
import { TrustedProxies } from '../http/trusted-proxies';
import { Access } from './access';
import { CertificateRoles } from './certificate-roles';
import { Gate } from './gate';

const everyRole = { roles: ['submit', 'query', 'metrics', 'admin'] } as const;
const file = CertificateRoles.parse(
  `certificates: [{ name: '*.test', roles: [${everyRole.roles.join(', ')}] }]`,
  'roles.yaml',
);
const access = new Access(() => file);

interface GateRequest {
  readonly route?: string;
  readonly headers?: IncomingHttpHeaders;
  readonly caller?: Caller;
  readonly remoteAddress?: string | undefined;
  readonly localAddress?: string;
  readonly proxies?: TrustedProxies;
}

/** Returns the code of the fault, or undefined if the request is accepted. */
async function decided(
  { route = '/pdb/query/v4/*', headers = {}, caller, remoteAddress, localAddress = '127.0.0.1', proxies }: GateRequest,
  gate = new Gate({ access }),
): Promise<string | undefined> {
  const socket = { remoteAddress, localAddress };
  const raw = { headers, socket };
  const request = { routeOptions: { url: route }, url: route, headers, raw } as unknown as FastifyRequest;
  proxies?.locate(request.raw);
  if (caller !== undefined) setCaller(request, caller);
  try {
    await gate.check(request);
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return undefined;
}

describe('metrics', () => {
  const route = '/metrics';

  test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('%s may ask without TLS', async (remoteAddress) => {
    expect(await decided({ route, remoteAddress })).toBeUndefined();
  });

  test.each(['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', '1270.0.0.1', '128.0.0.1', '::127.0.0.1', undefined])(
    '%s may not',
    async (remoteAddress) => {
      expect(await decided({ route, remoteAddress })).toBe('metrics.forbidden');
      expect(await decided({ remoteAddress })).toBeUndefined();
    },
  );

  test.each([
    [[], '203.0.113.5', 'metrics.forbidden'],
    [[], '127.0.0.1', 'metrics.forbidden'],
    [['127.0.0.1'], '203.0.113.5', 'metrics.forbidden'],
    [['127.0.0.1'], '203.0.113.5, 127.0.0.1', 'metrics.forbidden'],
    [['127.0.0.1'], '127.0.0.1', undefined],
  ])('with the trusted proxies %j, a proxy on this machine that forwards for %s', async (trusted, list, code) => {
    const headers = { 'x-forwarded-for': list };
    const remoteAddress = '127.0.0.1';
    expect(await decided({ route, headers, remoteAddress, proxies: new TrustedProxies(trusted) })).toBe(code);
  });

  test.each<[Caller, string, string | undefined]>([
    [{ secure: true, certname: 'ops.test' }, '192.0.2.7', undefined],
    [{ secure: false }, '192.0.2.7', 'metrics.forbidden'],
  ])('%j at %s', async (caller, remoteAddress, code) => {
    expect(await decided({ route, caller, remoteAddress })).toBe(code);
  });
});

describe('roles', () => {
  const created = new Date(0);
  const token = { name: 'dashboard', ...everyRole, created, expires: null, revoked: null, lastUsed: null };
  const withTokens = new Access(() => file, { find: () => Promise.resolve(token) });

  test.each<[Caller, string | undefined, string | undefined]>([
    [{ secure: false }, undefined, 'access.credential'],
    [{ secure: true }, 'access.credential', 'access.credential'],
    [{ secure: true, certname: 'web1.example' }, 'access.role', 'access.role'],
    [{ secure: true, certname: 'ops.test' }, undefined, undefined],
  ])('%j: %s without tokens, %s with tokens', async (caller, without, withThem) => {
    expect(await decided({ caller })).toBe(without);
    expect(await decided({ caller }, new Gate({ access: withTokens }))).toBe(withThem);
    expect(await decided({ route: '/status/v1/simple', caller })).toBeUndefined();
  });

  test('a client on another machine needs a token for metrics without TLS', async () => {
    const request = { route: '/metrics', remoteAddress: '192.0.2.7' };
    const headers = { authorization: 'Bearer nlt_x' };
    expect(await decided({ ...request, headers }, new Gate({ access: withTokens }))).toBeUndefined();
    expect(await decided({ ...request, headers })).toBe('metrics.forbidden');
  });
});

const submit = '/pdb/cmd/v1';
const host = 'localhost:8080';
const chrome = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)', 'accept-language': 'en' };

describe('browsers', () => {
  test.each<[string, IncomingHttpHeaders]>([
    ['curl', { host, 'user-agent': 'curl/8' }],
    ['a client that proxies name as they like', { host: 'puppetdb.example.com:8081', 'user-agent': 'Puppet/8' }],
    ['HTTP/1.0', {}],
    ['HTTP/2', { ':authority': host, origin: 'https://localhost:8080' }],
    ['a page of the service', { ...chrome, host, origin: 'http://localhost:8080' }],
    ['the same, in capitals', { ...chrome, host: 'LOCALHOST:8080', origin: 'http://localhost:8080' }],
    [
      'the same, as browsers say it',
      { ...chrome, host, origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' },
    ],
    ['the same, through a tunnel', { ...chrome, host: '127.0.0.1:9000', origin: 'http://127.0.0.1:9000' }],
    ['the same, at the default port', { ...chrome, host: 'localhost:80', origin: 'http://localhost' }],
    ['the same, on IPv6', { ...chrome, host: '[::1]:8080', origin: 'http://[::1]:8080' }],
    ['an address that a person typed', { ...chrome, host, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ])('%s is let in', async (_, headers) => {
    expect(await decided({ route: submit, headers })).toBeUndefined();
  });

  test.each<[string, IncomingHttpHeaders]>([
    ['another site', { origin: 'https://evil.example' }],
    ['another port of the machine', { origin: 'http://localhost:3000' }],
    ['a page without an origin', { origin: 'null' }],
    ['an extension', { origin: 'chrome-extension://localhost:8080' }],
    ['no origin at all', { origin: '' }],
    ['another site, as browsers say it', { 'sec-fetch-site': 'cross-site' }],
    ['another name of the site', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' }],
    ['two answers', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['a very long origin', { origin: `https://${'a'.repeat(250_000)}` }],
  ])('%s is refused, with TLS too', async (_, headers) => {
    for (const caller of [{ secure: false }, { secure: true, certname: 'admin.test' }]) {
      for (const route of [submit, '/pdb/admin/v1/cmd', '/pdb/query/v4/*', '/metrics', '/unheard-of']) {
        const request = { route, caller, headers: { host, ...headers }, remoteAddress: '127.0.0.1' };
        expect(await decided(request)).toBe('http.other-site');
      }
    }
  });

  test('a link of another page leads to what is only shown', async () => {
    const headers = {
      host,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect(await decided({ route: '/', headers })).toBeUndefined();
    expect(await decided({ route: '/pdb/query/v4/*', headers })).toBeUndefined();
    expect(await decided({ route: submit, headers })).toBe('http.other-site');
    expect(await decided({ route: '/pdb/admin/v1/cmd', headers })).toBe('http.other-site');
    expect(await decided({ route: '/', headers: { ...headers, 'sec-fetch-dest': 'iframe' } })).toBe('http.other-site');
  });

  test.each([
    'evil.example:8080',
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil-localhost',
    'localhost@evil.example',
    '',
    `${'a.'.repeat(100_000)}example`,
    '0.0.0.0',
  ])('a browser that takes this machine for another one (%#) is refused', async (name) => {
    const headers = { ...chrome, host: name };
    expect(await decided({ headers })).toBe('http.other-host');
    expect(await decided({ headers: { host: name, origin: `http://${name}` } })).toBe('http.other-host');
    // The check is skipped if the certificate or the network proves the identity of the service.
    expect(await decided({ headers, caller: { secure: true, certname: 'ops.test' } })).toBeUndefined();
    expect(await decided({ headers, localAddress: '192.0.2.1' })).toBeUndefined();
  });

  test('NODELEDGER_ALLOWED_HOSTS names the hosts of proxies', async () => {
    const gate = new Gate({ access, allowedHosts: ['Console.example.com'] });
    const origin = 'https://console.example.com';
    expect(
      await decided({ route: submit, headers: { ...chrome, host: 'console.example.com', origin } }, gate),
    ).toBeUndefined();
    expect(await decided({ route: submit, headers: { ...chrome, host, origin } }, gate)).toBeUndefined();
    expect(await decided({ headers: { ...chrome, host: 'other.example.com' } }, gate)).toBe('http.other-host');
  });
});
