import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Alerts, openLog } from '#observe';
import { Allowlist, ServerTls } from '#security';
import { Authority, type Issued } from '../../test/support/certificates';
import { until } from '../../test/support/until';
import { TlsWatch } from './tls-watch';

const folder = mkdtempSync(join(tmpdir(), 'nodeledger-watch-'));
const path = (name: string): string => join(folder, name);
const files = { cert: path('cert'), key: path('key'), ca: path('ca') };
const list = path('list');
const authority = Authority.make('CA');
const day = 86_400_000;

const alerts = new Alerts(openLog({ level: 'silent' }));
let tls: ServerTls;
let watch: TlsWatch;

const write = ({ cert, key }: Issued): void => {
  copyFileSync(key, files.key);
  copyFileSync(cert, files.cert);
};
const subject = (): string => tls.material.certificate.subject;
const codes = (): string[] => alerts.active().map(({ code }) => code);

async function start(expiryAlertMs: number, intervalMs = 20): Promise<void> {
  tls = await ServerTls.open(files);
  watch = new TlsWatch({
    ...{ tls, allowlist: await Allowlist.open(list), files: [...Object.values(files), list] },
    ...{ expiryAlertMs, alerts, log: openLog({ level: 'silent' }), onHangup: true, intervalMs },
  });
  watch.start();
}

beforeAll(() => {
  writeFileSync(files.ca, authority.certificate);
  writeFileSync(list, 'a.test\n');
  write(authority.issue('first.test', { validTo: 20 }));
});
afterEach(() => watch.stop());
afterAll(() => {
  alerts.close();
  authority.remove();
  rmSync(folder, { recursive: true });
});

test('new files are used; a fault raises an alert that lasts until the files are good', async () => {
  await start(day);
  write(authority.issue('second.test'));
  await until(() => subject() === 'CN=second.test');
  expect(codes()).toEqual([]);

  writeFileSync(files.key, 'no key');
  await until(() => codes().includes('tls.files'));
  expect(alerts.active()[0]).toMatchObject({
    message: expect.stringMatching(/holds no private key in PEM form/) as string,
    effect: expect.stringMatching(/as they were before stay in use/) as string,
    hint: expect.any(String) as string,
  });
  expect(subject()).toBe('CN=second.test');
  write(authority.issue('third.test'));
  await until(() => codes().length === 0);
  expect(subject()).toBe('CN=third.test');

  rmSync(list);
  await until(() => codes().includes('tls.files'));
  writeFileSync(list, '');
  await until(() => codes().length === 0);
});

test('SIGHUP has them read at once, and only while it watches', async () => {
  await start(day, 1_000_000);
  write(authority.issue('fourth.test'));
  process.emit('SIGHUP');
  await until(() => subject() === 'CN=fourth.test');
  await watch.stop();
  expect(process.listenerCount('SIGHUP')).toBe(0);
});

test('what ends soon raises an alert, until it is renewed', async () => {
  write(authority.issue('short.test', { validTo: 20 }));
  await start(21 * day);
  expect(alerts.active()).toMatchObject([
    {
      code: 'tls.expiry',
      severity: 'warning',
      message: expect.stringMatching(/^HTTPS: the certificate of this service ends at \d{4}-/) as string,
    },
  ]);
  write(authority.issue('long.test', { validTo: 300 }));
  await until(() => codes().length === 0);
});
