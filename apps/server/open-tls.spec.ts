/** Tests changes to the HTTPS files while the service runs. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '#config';
import { Alerts, openLog } from '#observe';
import { ServerTls } from '#tls';
import { Authority, type Issued } from '../../test/support/certificates';
import { until } from '../../test/support/until';
import { FileMonitor } from './file-monitor';
import { openTls } from './open-tls';
import { tlsExpiry } from './tls-expiry';
import { Undo } from './undo';

const folder = mkdtempSync(join(tmpdir(), 'nodeledger-open-tls-'));
const path = (name: string): string => join(folder, name);
const files = { cert: path('cert'), key: path('key'), ca: path('ca') };
const authority = Authority.make('CA');
const log = openLog({ level: 'silent' });
const alerts = new Alerts(log);
const watch = new FileMonitor({ alerts, log, onHangup: false, intervalMs: 20 });
const undo = new Undo((_, error) => {
  throw error;
});
const codes = (): string[] => alerts.active().map(({ code }) => code);
const write = ({ cert, key }: Issued): void => {
  copyFileSync(key, files.key);
  copyFileSync(cert, files.cert);
};

beforeAll(() => {
  writeFileSync(files.ca, authority.certificate);
  write(authority.issue('first.test'));
});
afterAll(async () => {
  await watch.stop();
  await undo.run();
  alerts.close();
  authority.remove();
  rmSync(folder, { recursive: true });
});

test('a new certificate is used; a faulty file raises an alert', async () => {
  const flags = ['--tls-cert', files.cert, '--tls-key', files.key, '--tls-ca', files.ca];
  const { settings } = readSettings(flags, {});
  const tls = (await openTls(settings, { files: watch, alerts, log, undo })) as ServerTls;
  const subject = (): string => tls.material.certificate.subject;
  expect(subject()).toBe('CN=first.test');

  write(authority.issue('second.test'));
  await until(() => subject() === 'CN=second.test');
  expect(codes()).toEqual([]);
  writeFileSync(files.key, 'no key');
  await until(() => codes().includes('tls.files'));
  expect(alerts.active()[0]?.message).toMatch(/^The new content of the files of HTTPS is invalid: .*no private key/);
  expect(subject()).toBe('CN=second.test');
  write(authority.issue('third.test'));
  await until(() => codes().length === 0);
  expect(subject()).toBe('CN=third.test');
});

test('a certificate that ends soon raises an alert, until it is renewed', async () => {
  write(authority.issue('short.test', { validTo: 20 }));
  const tls = await ServerTls.open(files);
  const expiry = tlsExpiry({ tls, alertMs: 21 * 86_400_000, alerts, log, intervalMs: 20 });
  expiry.start();
  expect(alerts.active()).toMatchObject([
    {
      code: 'tls.expiry',
      severity: 'warning',
      message: expect.stringMatching(/^HTTPS: the certificate of this service ends at \d{4}-/) as string,
    },
  ]);
  write(authority.issue('long.test', { validTo: 300 }));
  await tls.reload();
  await until(() => codes().length === 0);
  await expiry.stop();
});
