import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFault } from '#fault';
import { Authority } from '../../test/support/certificates';
import { expiries } from './expiries';
import { checkIssued, readTlsFiles, type TlsFiles } from './read-tls-files';

const folder = mkdtempSync(join(tmpdir(), 'nodeledger-tls-'));
const root = Authority.make('Root');
const middle = root.intermediate('Middle');
const stranger = Authority.make('Stranger');
const own = middle.issue('own.test', { validTo: 25 });
afterAll(() => {
  rmSync(folder, { recursive: true });
  root.remove();
  stranger.remove();
});

const day = 86_400_000;
const file = (name: string, ...texts: string[]): string => {
  const path = join(folder, name);
  writeFileSync(path, texts.join(''));
  return path;
};
const ca = file('ca.pem', middle.certificate, root.certificate);
const crl = file('crl.pem', middle.revocationList(10), root.revocationList(20));
const good: TlsFiles = { ...own, ca, crl };

async function refusal(files: TlsFiles, now?: number): Promise<[code: string, message: string]> {
  const fault: unknown = await readTlsFiles(files, now).catch((error: unknown) => error);
  if (!isFault(fault)) throw new Error('no fault', { cause: fault });
  expect(fault.hint).toBeDefined();
  return [fault.code, fault.message];
}

test('good files: a bundle of authorities, each with its list', async () => {
  const material = await readTlsFiles(good);
  expect(material.authorities.map(({ subject }) => subject)).toEqual(['CN=Middle', 'CN=Root']);
  // Node.js reads only the first list in each text.
  expect(material.options.crl).toHaveLength(2);
  expect(() => checkIssued(good, material)).not.toThrow();
  const soonest = expiries(material).map(({ what, at }) => [what, Math.round((at - Date.now()) / day)]);
  expect(soonest).toEqual([
    ['a revocation list', 10],
    ['a revocation list', 20],
    ['the certificate of this service', 25],
    ['the certificate of the authority CN=Middle', 30],
    ['the certificate of the authority CN=Root', 3000],
  ]);
});

test('the digest tells whether anything has changed', async () => {
  const { digest } = await readTlsFiles(good);
  expect((await readTlsFiles(good)).digest).toBe(digest);
  expect((await readTlsFiles({ ...own, ca })).digest).not.toBe(digest);
});

test('revoked serial numbers are read, however long the list', async () => {
  const authority = Authority.make('Revoker');
  try {
    const numbers = [1, 2, 3].map((at) => {
      const issued = authority.issue(`node${at}.test`);
      if (at !== 2) authority.revoke(issued);
      return issued;
    });
    const lists = file('revoked.pem', authority.revocationList());
    const files = { ...numbers[1]!, ca: file('revoker.pem', authority.certificate), crl: lists };
    const [list] = (await readTlsFiles(files)).revocationLists;
    expect([...(list?.serials ?? [])]).toEqual(['1', '3']);
  } finally {
    authority.remove();
  }
});

const encrypted = (): string => {
  execFileSync('openssl', [
    'pkey',
    '-in',
    own.key,
    '-aes128',
    '-passout',
    'pass:x',
    '-out',
    join(folder, 'locked.key'),
  ]);
  return join(folder, 'locked.key');
};

test.each<[what: string, files: () => Partial<TlsFiles>, code: string, message: RegExp]>([
  ['no file', () => ({ cert: join(folder, 'none') }), 'tls.file', /the certificate \(.*none\).*there is no such file$/],
  ['a directory', () => ({ ca: folder }), 'tls.file', /the authorities \(.*it is a directory$/],
  ['a key as certificate', () => ({ cert: own.key }), 'tls.certificate', /holds no certificate in PEM form/],
  [
    'a certificate cut off',
    () => ({
      cert: file('cut', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'),
    }),
    'tls.certificate',
    /holds a certificate that cannot be read/,
  ],
  ['a certificate as key', () => ({ key: own.cert }), 'tls.key', /holds no private key/],
  ['an encrypted key', () => ({ key: encrypted() }), 'tls.key', /is encrypted/],
  ['a foreign key', () => ({ key: middle.issue('b.test').key }), 'tls.key-mismatch', /does not match the certificate/],
  ['no authority', () => ({ ca: file('empty', '') }), 'tls.authority', /holds no certificate/],
  ['no list', () => ({ crl: ca }), 'tls.revocation-list', /holds no list/],
  [
    'a broken list',
    () => ({ crl: file('bad.pem', '-----BEGIN X509 CRL-----\nMIIB\n-----END X509 CRL-----\n') }),
    'tls.revocation-list',
    /cannot be read/,
  ],
  [
    'one list of two',
    () => ({ crl: file('one.pem', middle.revocationList()) }),
    'tls.revocation-list',
    /has no list of the authority CN=Root, whose clients/,
  ],
])('%s', async (_what, files, code, message) => {
  expect(await refusal({ ...good, ...files() })).toEqual([code, expect.stringMatching(message)]);
});

test('a certificate out of its time', async () => {
  expect(await refusal(good, Date.now() + 26 * day)).toEqual([
    'tls.expired',
    expect.stringMatching(/expired on \d{4}-/),
  ]);
  expect(await refusal(good, Date.now() - day)).toEqual([
    'tls.not-yet-valid',
    expect.stringMatching(/not valid before/),
  ]);
});

test('a certificate and a revocation list are refused from the time on when they end', async () => {
  const { certificate, revocationLists } = await readTlsFiles(good);
  const listEnds = revocationLists[0]!.nextUpdate!;
  await readTlsFiles(good, listEnds - 1);
  expect((await refusal(good, listEnds))[0]).toBe('tls.revocation-list');
  const withoutList = { ...own, ca };
  const certificateEnds = Date.parse(certificate.validTo);
  await readTlsFiles(withoutList, certificateEnds - 1);
  expect((await refusal(withoutList, certificateEnds))[0]).toBe('tls.expired');
});

test('a key that OpenSSL finds too short is refused', async () => {
  const [cert, key] = [join(folder, 'short.pem'), join(folder, 'short.key')];
  const request = ['req', '-x509', '-nodes', '-newkey', 'rsa:512', '-subj', '/CN=short', '-out', cert, '-keyout', key];
  execFileSync('openssl', request, { stdio: 'pipe' });
  expect(await refusal({ cert, key, ca })).toEqual([
    'tls.refused',
    expect.stringMatching(/^OpenSSL does not accept .*short\.pem, .*short\.key: .*too small/),
  ]);
});

test('an authority with the right name and another key has not signed the certificate', async () => {
  const [cert, key] = [join(folder, 'namesake.pem'), join(folder, 'namesake.key')];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-out', cert, '-keyout', key];
  // Without an identifier of the key, only the signature shows that the list is from another authority.
  const extensions = ['-addext', 'keyUsage=critical,keyCertSign', '-addext', 'subjectKeyIdentifier=none'];
  execFileSync('openssl', ['req', '-x509', '-nodes', '-subj', '/CN=Middle', ...newKey, ...extensions], {
    stdio: 'pipe',
  });
  const material = await readTlsFiles({ ...own, ca: cert });
  expect(material.certificate.checkIssued(material.authorities[0]!)).toBe(true);
  expect(() => checkIssued(good, material)).toThrow(/No authority in .* has signed/);
});

test('a revocation list that is out of date', async () => {
  expect(await refusal(good, Date.now() + 11 * day)).toEqual([
    'tls.revocation-list',
    expect.stringMatching(/was to be replaced by .*every client would be refused/),
  ]);
});

test('a certificate of another authority is a server certificate all the same, but not one of these agents', async () => {
  const files = { ...stranger.issue('own.test'), ca };
  const material = await readTlsFiles(files);
  expect(readFileSync(files.cert, 'utf8')).toBe(material.options.cert);
  expect(() => checkIssued(files, material)).toThrow(/No authority in .* has signed/);
});
