import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readSettings } from '#config';
import { Authority } from '../../test/support/certificates';
import { clientUrl, listeners } from './listeners';

const authority = Authority.make('CA');
afterAll(() => authority.remove());

const https = { NODELEDGER_TLS_CERT: 'c', NODELEDGER_TLS_KEY: 'k', NODELEDGER_TLS_CA: 'a' };
const tls = { options: {}, attach: () => undefined, refusal: () => undefined };
const addresses = (flags: readonly string[], environment = {}) =>
  listeners(readSettings(flags, environment).settings, 'NODELEDGER_TLS_CERT' in environment ? tls : undefined).map(
    ({ host, port, tls: secure }) => [host, port, secure !== undefined],
  );

test('clear text on loopback, HTTPS on every address, each of them on its own too', () => {
  expect(addresses([])).toEqual([['127.0.0.1', 8080, false]]);
  const both = ['127.0.0.1', 8080, false];
  expect(addresses([], https)).toEqual([both, ['0.0.0.0', 8081, true]]);
  expect(addresses(['--cleartext=false', '--tls-host=::1', '--tls-port=0'], https)).toEqual([['::1', 0, true]]);
});

test('a client is told a name that is in the certificate', () => {
  const certificate = new X509Certificate(readFileSync(authority.issue('a', { san: 'IP:127.0.0.1,DNS:db.test' }).cert));
  expect(clientUrl(['http://127.0.0.1:8080', 'https://0.0.0.0:8081'], { certificate })).toBe('http://127.0.0.1:8080');
  expect(clientUrl(['https://0.0.0.0:8081'], { certificate })).toBe('https://db.test:8081');
  const nameless = new X509Certificate(readFileSync(authority.issue('a', { san: 'IP:127.0.0.1' }).cert));
  expect(clientUrl(['https://0.0.0.0:8081'], { certificate: nameless })).toBe('https://0.0.0.0:8081');
});
