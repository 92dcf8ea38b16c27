import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateRoles } from '#access';
import { isFault } from '#fault';
import { readTlsFiles } from '#tls';
import { Authority, type Issued } from '../../test/support/certificates';
import { sslSetupLines } from './ssl-setup';
import { copySslFiles } from './ssl-setup/copy-ssl-files';
import { findServer, findSslFiles } from './ssl-setup/find-ssl-files';

const folder = mkdtempSync(join(tmpdir(), 'nodeledger-ssl-'));
const authority = Authority.make('CA');
afterAll(() => {
  rmSync(folder, { recursive: true });
  authority.remove();
});

let made = 0;
/** Creates an agent's ssl directory. */
function agentFolder(
  names: readonly string[],
  issued: (name: string) => Issued = (name) => authority.issue(name),
): string {
  const ssldir = join(folder, `agent${++made}`);
  for (const part of ['certs', 'private_keys', 'public_keys']) mkdirSync(join(ssldir, part), { recursive: true });
  for (const name of names) {
    const { cert, key } = issued(name);
    copyFileSync(cert, join(ssldir, 'certs', `${name}.pem`));
    copyFileSync(key, join(ssldir, 'private_keys', `${name}.pem`));
  }
  writeFileSync(join(ssldir, 'certs', 'ca.pem'), authority.certificate);
  writeFileSync(join(ssldir, 'crl.pem'), authority.revocationList());
  return ssldir;
}

async function setUp(ssldir: string, target: string, { certname = '', force = false, servers = ['puppet.test'] } = {}) {
  return copySslFiles(await findSslFiles(ssldir, certname === '' ? undefined : certname), target, { force, servers });
}

async function refusal(work: Promise<unknown>): Promise<[code: string, text: string]> {
  const fault: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isFault(fault)) throw new Error('no fault', { cause: fault });
  return [fault.code, `${fault.message} ${fault.hint}`];
}

const mode = (path: string): number => statSync(path).mode & 0o777;

test('the files of the only certificate are copied, the key for its owner alone', async () => {
  const target = join(folder, 'data', 'ssl');
  const ssldir = agentFolder(['db.test']);
  const copy = await setUp(ssldir, target);
  expect(readdirSync(target).sort()).toEqual(['ca.pem', 'cert.pem', 'crl.pem', 'key.pem', 'roles.yaml']);
  expect([mode(join(target, 'key.pem')), mode(join(target, 'cert.pem'))]).toEqual([0o600, 0o644]);
  expect((await readTlsFiles(copy.files)).certificate.subject).toBe('CN=db.test');
  expect(sslSetupLines(copy).split('\n')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^The certificate of db\.test is valid until \d{4}-\d\d-\d\d\.$/),
      `NODELEDGER_TLS_CERT=${join(target, 'cert.pem')}`,
      `NODELEDGER_TLS_KEY=${join(target, 'key.pem')}`,
      `NODELEDGER_TLS_CA=${join(target, 'ca.pem')}`,
      `NODELEDGER_TLS_CRL=${join(target, 'crl.pem')}`,
      `NODELEDGER_AUTHORIZATION=${join(target, 'roles.yaml')}`,
      '  - name: puppet.test',
    ]),
  );
  // A second call succeeds and changes nothing.
  await setUp(ssldir, target);
});

test('the file of roles is written once, and never replaced', async () => {
  const target = join(folder, 'roles');
  const ssldir = agentFolder(['db.test']);
  const { roles } = await setUp(ssldir, target);
  const given = CertificateRoles.parse(readFileSync(roles.path, 'utf8'), roles.path);
  expect(['puppet.test', 'db.test', 'web1.test'].map((name) => [...given.rolesOf(name)])).toEqual([
    ['submit', 'query'],
    ['submit', 'query', 'metrics', 'admin'],
    [],
  ]);
  writeFileSync(roles.path, 'certificates: []');
  const again = await setUp(ssldir, target, { force: true });
  expect(readFileSync(roles.path, 'utf8')).toBe('certificates: []');
  expect(sslSetupLines(again)).toContain(`${roles.path} exists and was not changed.`);
});

test("the configuration server is the one of the agent's puppet.conf", async () => {
  const ssldir = join(agentFolder([]), 'ssl');
  const files = { cert: '', key: '', ca: join(ssldir, 'certs', 'ca.pem') };
  writeFileSync(join(ssldir, '..', 'puppet.conf'), '[main]\nca_server = ca.test\n  server = puppet.test\n');
  expect(await findServer(files)).toBe('puppet.test');
});

test('other files are replaced only when asked to', async () => {
  const target = join(folder, 'taken');
  await setUp(agentFolder(['db.test']), target);
  const before = readFileSync(join(target, 'cert.pem'));
  const renewed = agentFolder(['db.test']);
  expect(await refusal(setUp(renewed, target))).toEqual(['cli.ssl-exists', expect.stringMatching(/cert\.pem.*-f/)]);
  expect(readFileSync(join(target, 'cert.pem'))).toEqual(before);
  await setUp(renewed, target, { force: true });
  expect(readFileSync(join(target, 'cert.pem'))).not.toEqual(before);
  expect(mode(join(target, 'key.pem'))).toBe(0o600);
});

test('of several certificates one is to be named', async () => {
  const ssldir = agentFolder(['a.test', 'b.test']);
  const target = join(folder, 'several');
  expect(await refusal(setUp(ssldir, target))).toEqual([
    'cli.ssl-source',
    expect.stringMatching(/several certificates: a\.test, b\.test\. .*--certname/),
  ]);
  expect((await setUp(ssldir, target, { certname: 'b.test' })).certname).toBe('b.test');
});

test.each<[what: string, ssldir: () => string, certname: string, code: string, text: RegExp]>([
  ['no folder', () => join(folder, 'none'), '', 'cli.ssl-source', /none\/certs cannot be read.*--ssldir/],
  ['nothing in it', () => agentFolder([]), '', 'cli.ssl-source', /no certificate with a private key.*bootstrap/],
  ['another name', () => agentFolder(['a.test']), 'b.test', 'cli.ssl-source', /b\.test\.pem is not there/],
  [
    'expired',
    () => agentFolder(['a.test'], (name) => authority.issue(name, { validFrom: -2, validTo: -1 })),
    '',
    'tls.expired',
    /expired on/,
  ],
  ['of another authority', () => agentFolder(['a.test'], foreign), '', 'tls.issuer', /No authority in .* has signed/],
  ['a key of another', () => agentFolder(['a.test'], mixed), '', 'tls.key-mismatch', /does not match/],
])('%s is refused, and nothing is written', async (_what, ssldir, certname, code, text) => {
  const target = join(folder, 'nothing');
  expect(await refusal(setUp(ssldir(), target, { certname }))).toEqual([code, expect.stringMatching(text)]);
  expect(readdirSync(folder)).not.toContain('nothing');
});

function foreign(name: string): Issued {
  const other = Authority.make('Other');
  const ssldir = join(folder, `foreign${++made}`);
  mkdirSync(ssldir);
  try {
    const { cert, key } = other.issue(name);
    copyFileSync(cert, join(ssldir, 'cert'));
    copyFileSync(key, join(ssldir, 'key'));
    return { cert: join(ssldir, 'cert'), key: join(ssldir, 'key') };
  } finally {
    other.remove();
  }
}

function mixed(name: string): Issued {
  return { cert: authority.issue(name).cert, key: authority.issue('other').key };
}
