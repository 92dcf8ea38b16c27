import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, type Settings } from '#config';
import { Database } from '#database';
import { expiries, readTlsFiles } from '#tls';
import { Authority } from '../../../test/support/certificates';
import { freshDatabase, type FreshDatabase } from '../../../test/support/postgres';
import { doctorExitCode, doctorText } from '../doctor';
import { checkAccess } from './check-access';
import { checkCertificates } from './check-certificates';
import { checkDatabase } from './check-database';
import { diskFinding } from './check-disk';
import { checkService } from './check-service';
import type { Finding } from './finding';

const settings = (environment: Record<string, string>): Readonly<Settings> => readSettings([], environment).settings;
const https = { NODELEDGER_TLS_CERT: 'c', NODELEDGER_TLS_KEY: 'k', NODELEDGER_TLS_CA: 'a' };
const levels = (findings: readonly Finding[]): string[] => findings.map(({ level }) => level);

describe('the database', () => {
  let fresh: FreshDatabase;
  let db: Database;
  beforeAll(async () => {
    fresh = await freshDatabase();
    db = new Database({ connectionString: fresh.connectionString, max: 1 });
  });
  afterAll(async () => {
    await db.close();
    await fresh.drop();
  });

  // The tests use a PostgreSQL with fsync off, which `doctor` reports.
  const unsafe = {
    check: 'database',
    level: 'error',
    text: 'fsync is off: a crash can destroy the database.',
    remedy: 'Set fsync = on in postgresql.conf.',
  };

  test('settings that lose data are errors; a superuser is a warning, except for the embedded server', async () => {
    const own = await checkDatabase(db, true);
    expect(own).toContainEqual(unsafe);
    const superuser = expect.objectContaining({ text: 'The database user is a superuser.' }) as unknown;
    expect(own).not.toContainEqual(superuser);
    expect(await checkDatabase(db, false)).toContainEqual(superuser);
  });

  test('a user that may not create schemas is an error, and says what to grant', async () => {
    const session = await db.session();
    try {
      await session.query({ text: 'CREATE ROLE doctor_reader', values: [] });
      await session.query({ text: 'SET ROLE doctor_reader', values: [] });
      const asReader = { query: session.query } as unknown as Database;
      const findings = await checkDatabase(asReader, false);
      expect(findings).toContainEqual({
        ...{ check: 'database', level: 'error', text: 'The database user may not create schemas.' },
        remedy: expect.stringContaining('GRANT CREATE ON DATABASE') as string,
      });
    } finally {
      await session.query({ text: 'RESET ROLE', values: [] });
      await session.query({ text: 'DROP ROLE doctor_reader', values: [] });
      session.close();
    }
  });
});

test('certificates: none, good ones, ones that end soon, ones that have ended, missing ones', async () => {
  expect(await checkCertificates(settings({}))).toMatchObject({ level: 'ok', text: 'HTTPS is not configured.' });
  const authority = Authority.make('CA');
  const directory = await mkdtemp(join(tmpdir(), 'nodeledger-doctor-'));
  try {
    const { cert, key } = authority.issue('localhost');
    const ca = join(directory, 'ca.pem');
    await writeFile(ca, authority.certificate);
    const files = { NODELEDGER_TLS_CERT: cert, NODELEDGER_TLS_KEY: key, NODELEDGER_TLS_CA: ca };
    const day = 86_400_000;
    expect(await checkCertificates(settings(files))).toMatchObject({
      level: 'ok',
      text: expect.stringMatching(/^HTTPS: the certificate of .* is the first to end, on \d{4}-\d\d-\d\d\.$/) as string,
    });
    const [soonest] = expiries(await readTlsFiles({ cert, key, ca }));
    expect(await checkCertificates(settings(files), soonest!.at - 10 * day)).toMatchObject({
      level: 'warning',
      text: expect.stringMatching(/^HTTPS: the certificate of .* ends on \d{4}-\d\d-\d\d\.$/) as string,
    });
    await expect(checkCertificates(settings(files), Date.now() + 40_000 * day)).rejects.toMatchObject({
      code: expect.stringMatching(/^tls\./) as string,
    });
    const gone = settings({ ...files, NODELEDGER_TLS_KEY: `${key}.gone` });
    await expect(checkCertificates(gone)).rejects.toMatchObject({ code: 'tls.file' });
  } finally {
    authority.remove();
    await rm(directory, { recursive: true });
  }
});

test.each<[settings: Record<string, string>, level: string, text: RegExp]>([
  [{}, 'ok', /^Over HTTP, every client may do everything\.$/],
  [{ NODELEDGER_HOST: '0.0.0.0', NODELEDGER_ALLOW_INSECURE: 'true' }, 'warning', /^Over HTTP, every client/],
  [{ NODELEDGER_HOST: '0.0.0.0', NODELEDGER_ALLOW_INSECURE: 'true', NODELEDGER_AUTHORIZATION: 'r' }, 'ok', /\(r\)/],
  [https, 'warning', /^Over HTTPS, certificates may submit documents of their own name only .*; over HTTP/],
  [
    { ...https, NODELEDGER_CLEARTEXT: 'false', NODELEDGER_CERTIFICATE_ALLOWLIST: 'l' },
    'ok',
    /in l may do everything\.$/,
  ],
  [{ ...https, NODELEDGER_AUTHORIZATION: 'r' }, 'ok', /their certificate or token allows \(r\)/],
])('%j: says which clients may do what', (environment, level, text) => {
  expect(checkAccess(settings(environment))).toMatchObject({ level, text: expect.stringMatching(text) as string });
});

test('a service that does not run is a warning', async () => {
  expect(levels(await checkService({ url: 'http://127.0.0.1:1' }))).toEqual(['warning']);
});

describe('the disk', () => {
  const gb = 1e9;
  const log = { logBytes: 40 * gb, sectionBytes: 8 * gb, logSince: Date.UTC(2026, 0, 2), logBytesPerDay: gb };
  const storage = { ...log, tableBytes: gb, pastBytes: gb, otherBytes: 0, walBytes: 2 * gb };
  const disk = { freeBytes: 50 * gb, totalBytes: 100 * gb, reserveBytes: 2 * gb, secondsUntilFull: 48 * 86_400 };

  test('is in order if it is full only after weeks', () => {
    expect(diskFinding({ ...storage, disk }, '/data')).toEqual({
      check: 'disk',
      level: 'ok',
      text: '50 GB of 100 GB are free on the disk of /data. The read tables take 1 GB, their past 1 GB, the write-ahead log 2 GB, the log 40 GB (8 GB of it sections of documents). The history in the log begins at 2026-01-02T00:00:00.000Z. The log grows 1 GB a day. At that rate, the disk is full in 48 days.',
    });
  });

  test('is a warning if it is full within days or nearly full, and an error once commands are refused', () => {
    const soon = diskFinding(
      { ...storage, logBytesPerDay: 13 * gb, disk: { ...disk, secondsUntilFull: 5 * 86_400 } },
      '/data',
    );
    expect([soon.level, soon.text]).toEqual(['warning', expect.stringContaining('full in 5 days.')]);
    expect(soon.remedy).toContain('NODELEDGER_LOG_HISTORY');
    const still = { ...disk, secondsUntilFull: undefined };
    expect(diskFinding({ ...storage, disk: { ...still, freeBytes: 3 * gb } }, '/data').level).toBe('warning');
    const low = diskFinding({ ...storage, disk: { ...still, freeBytes: gb } }, '/data');
    expect([low.level, low.text]).toEqual(['error', expect.stringContaining('Commands are refused below 2 GB.')]);
  });

  test('of a server that is not embedded is not known', () => {
    const unknown = { logBytes: undefined, sectionBytes: undefined, logSince: undefined, logBytesPerDay: undefined };
    const { text, level } = diskFinding({ ...storage, ...unknown }, '');
    expect([level, text]).toEqual([
      'ok',
      'The free disk space of the PostgreSQL server is not known here. The read tables take 1 GB, their past 1 GB, the write-ahead log 2 GB.',
    ]);
  });
});

test('the worst finding decides the exit code; remedies are below their finding', () => {
  const ok: Finding = { check: 'a', level: 'ok', text: 'Fine.' };
  const warning: Finding = { check: 'b', level: 'warning', text: 'Soon.', remedy: 'Do it.' };
  const error: Finding = { check: 'c', level: 'error', text: 'Broken.' };
  expect([[], [ok], [ok, warning], [warning, error, ok]].map(doctorExitCode)).toEqual([0, 0, 1, 2]);
  expect(doctorText([ok, warning, error])).toBe(
    'ok       a: Fine.\nwarning  b: Soon.\n         Do it.\nERROR    c: Broken.\n',
  );
});
