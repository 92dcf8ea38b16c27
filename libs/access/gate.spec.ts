/** What is decided about a request by its headers and its connection alone. Roles: access.int.spec.ts. */
import type { IncomingHttpHeaders } from 'node:http';
import { Fault, isFault } from '#fault';
import { type Caller, type FastifyRequest, setCaller } from '#http';
import { TrustedProxies } from '../http/trusted-proxies';
import { Gate } from './gate';

interface Asked {
  readonly route?: string;
  readonly headers?: IncomingHttpHeaders;
  readonly caller?: Caller;
  readonly remoteAddress?: string | undefined;
  readonly localAddress?: string;
  readonly proxies?: TrustedProxies;
}

/** The code of the refusal; undefined if the request is let in. */
async function decided(
  { route = '/pdb/query/v4/*', headers = {}, caller, remoteAddress, localAddress = '127.0.0.1', proxies }: Asked,
  gate = new Gate({}),
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
    [{ secure: true, token: 'dashboard' }, '192.0.2.7', undefined],
    [{ secure: false }, '192.0.2.7', 'metrics.forbidden'],
    [{ secure: false, token: 'dashboard' }, '192.0.2.7', undefined],
  ])('%j at %s', async (caller, remoteAddress, code) => {
    expect(await decided({ route, caller, remoteAddress })).toBe(code);
  });
});

describe('connections without TLS', () => {
  const refusal = new Fault('forbidden', 'access.role', 'no role');
  const access = { check: () => Promise.reject(refusal) };

  test.each<[Caller, trustsCleartext: boolean, string | undefined]>([
    [{ secure: false }, true, undefined],
    [{ secure: false }, false, 'access.role'],
    [{ secure: true }, true, 'access.role'],
    [{ secure: true }, false, 'access.role'],
  ])('%j, trusted: %s', async (caller, trustsCleartext, code) => {
    const gate = new Gate({ access, trustsCleartext });
    expect(await decided({ caller }, gate)).toBe(code);
    expect(await decided({ route: '/status/v1/simple', caller }, gate)).toBeUndefined();
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
        const asked = { route, caller, headers: { host, ...headers }, remoteAddress: '127.0.0.1' };
        expect(await decided(asked)).toBe('http.other-site');
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
    // Where the certificate, or the network, says who the service is.
    expect(await decided({ headers, caller: { secure: true } })).toBeUndefined();
    expect(await decided({ headers, localAddress: '192.0.2.1' })).toBeUndefined();
  });

  test('NODELEDGER_ALLOWED_HOSTS names the hosts of proxies', async () => {
    const gate = new Gate({ allowedHosts: ['Console.example.com'] });
    const origin = 'https://console.example.com';
    expect(
      await decided({ route: submit, headers: { ...chrome, host: 'console.example.com', origin } }, gate),
    ).toBeUndefined();
    expect(await decided({ route: submit, headers: { ...chrome, host, origin } }, gate)).toBeUndefined();
    expect(await decided({ headers: { ...chrome, host: 'other.example.com' } }, gate)).toBe('http.other-host');
  });
});
