import { readSettings } from '#config';
import { serviceUrl } from './service-url';

const urlOf = (environment: Record<string, string>): string => serviceUrl(readSettings([], environment).settings);
const files = { NODELEDGER_TLS_CERT: 'c.pem', NODELEDGER_TLS_KEY: 'k.pem', NODELEDGER_TLS_CA: 'ca.pem' };

test.each<[Record<string, string>, string]>([
  [{}, 'http://127.0.0.1:8080'],
  [{ NODELEDGER_PORT: '9000' }, 'http://127.0.0.1:9000'],
  [{ NODELEDGER_HOST: '0.0.0.0', NODELEDGER_ALLOW_INSECURE: 'true' }, 'http://127.0.0.1:8080'],
  [{ NODELEDGER_HOST: '::', NODELEDGER_ALLOW_INSECURE: 'true' }, 'http://127.0.0.1:8080'],
  [{ NODELEDGER_HOST: '::1' }, 'http://[::1]:8080'],
  [{ ...files }, 'http://127.0.0.1:8080'],
  [{ ...files, NODELEDGER_CLEARTEXT: 'false' }, 'https://localhost:8081'],
  [{ ...files, NODELEDGER_CLEARTEXT: 'false', NODELEDGER_TLS_HOST: 'db.example.com' }, 'https://db.example.com:8081'],
])('%j: %s', (environment, url) => expect(urlOf(environment)).toBe(url));
