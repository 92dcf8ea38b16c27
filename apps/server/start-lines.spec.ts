import { type Role, roles } from '#access';
import { readSettings } from '#config';
import { startLines } from './start-lines';

const tls = ['--tls-cert', 'c.pem', '--tls-key', 'k.pem', '--tls-ca', 'ca.pem'];

test('a process that answers queries says where its console is', () => {
  const service = {
    url: 'http://127.0.0.1:8080',
    urls: ['http://127.0.0.1:8080'],
    localClient: { certname: undefined, roles: new Set(roles) },
    dataLocation: '/data',
    logLocation: undefined,
    queueDepth: 0,
  };
  const { settings } = readSettings([], {});
  expect(startLines(settings, service)).toContain('\nconsole http://127.0.0.1:8080/console/\n');
  expect(startLines(settings, service, new Set(['write']))).not.toContain('console');
});

/** Returns the example commands that a service prints if a client on this machine has the roles in `has` at `url`. */
function examples(url: string, flags: readonly string[], certname: string | undefined, has: readonly Role[]): string[] {
  const service = {
    url,
    urls: [url],
    localClient: { certname, roles: new Set(has) },
    dataLocation: '/data',
    logLocation: undefined,
    queueDepth: 0,
  };
  const lines = startLines(readSettings(flags, {}).settings, service).split('\n');
  return lines.filter((line) => /^(token|submit|ask) /.test(line));
}

test('over HTTP without a file of roles, the examples need no credential', () => {
  expect(examples('http://127.0.0.1:8080', [], undefined, roles)).toEqual([
    expect.stringMatching(/^submit {2}curl -H 'content-type/),
    expect.stringMatching(/^ask {5}curl -G .*web1/),
  ]);
});

test('with a file of roles, the examples send a token, and a line says how to create it', () => {
  const lines = examples('http://127.0.0.1:8080', ['--authorization', 'roles.yaml'], undefined, []);
  expect(lines).toEqual([
    expect.stringContaining('nodeledger token create first --role submit --role query'),
    expect.stringMatching(/^submit {2}curl -H "Authorization: Bearer \$NODELEDGER_TOKEN" /),
    expect.stringMatching(/^ask {5}curl -H "Authorization: Bearer \$NODELEDGER_TOKEN" /),
  ]);
});

test('over HTTPS, the examples use the certificate of the service if its roles suffice, and a token otherwise', () => {
  const flags = [...tls, '--authorization', 'roles.yaml'];
  const [submit, ask] = examples('https://db.test:8081', flags, 'db.test', ['submit', 'query']);
  expect([submit, ask].join()).not.toContain('Bearer');
  expect(submit).toContain('curl --cacert ca.pem --cert c.pem --key k.pem -H');
  const lines = examples('https://db.test:8081', flags, 'db.test', ['query']);
  expect(lines.map((line) => line.includes('Bearer'))).toEqual([false, true, false]);
});

test('a certificate that may submit only its own documents gets an example with its own name, and no query', () => {
  const lines = examples('https://db.test:8081', tls, 'db.test', ['submit-own']);
  expect(lines).toEqual([expect.stringContaining('"certname":"db.test"')]);
  expect(lines[0]).toContain('&certname=db.test&');
  expect(examples('https://db.test:8081', [...tls, '--certificate-allowlist', 'list'], 'db.test', [])).toEqual([]);
});
