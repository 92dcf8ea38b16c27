/**
 * Tests changes to the certificate allowlist while the service runs. test/e2e/authorization.spec.ts tests the roles
 * file.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Access, CertificateRoles, roles } from '#access';
import { readSettings } from '#config';
import { Alerts, openLog } from '#observe';
import { until } from '../../test/support/until';
import { FileMonitor } from './file-monitor';
import { openAccess } from './open-access';
import { Undo } from './undo';

const folder = mkdtempSync(join(tmpdir(), 'nodeledger-open-access-'));
const log = openLog({ level: 'silent' });
const alerts = new Alerts(log);
const files = new FileMonitor({ alerts, log, onHangup: false, intervalMs: 20 });
const undo = new Undo((_, error) => {
  throw error;
});
afterAll(async () => {
  await files.stop();
  alerts.close();
  rmSync(folder, { recursive: true });
});

const open = (flags: readonly string[]): Promise<Access> =>
  openAccess(readSettings(flags, {}).settings, {
    connectionString: '',
    files,
    outages: { report: () => undefined },
    onFailure: () => undefined,
    undo,
  });
const https = ['--tls-cert', 'cert', '--tls-key', 'key', '--tls-ca', 'ca'];

test('without a file of roles, clients without TLS have all roles, and certificates submit-own', async () => {
  const access = await open([]);
  expect([...access.rolesOf(undefined)]).toEqual(roles);
  expect([...access.rolesOf('web1')]).toEqual(['submit-own']);
});

test('with a file of roles, clients without TLS and without a token have no role', async () => {
  const file = CertificateRoles.parse('certificates: [{ name: web1, roles: [query] }]', 'roles.yaml');
  const access = new Access(() => file, { find: () => Promise.resolve('unknown') });
  expect([...access.rolesOf(undefined)]).toEqual([]);
  expect([...access.rolesOf('web1')]).toEqual(['query']);
});

test('a new allowlist is used; a missing one raises an alert, and the earlier one stays in use', async () => {
  const list = join(folder, 'list');
  writeFileSync(list, 'a.test\n');
  const access = await open([...https, '--certificate-allowlist', list]);
  const mayQuery = async (): Promise<boolean[]> => {
    const requests = ['a.test', 'b.test'].map(async (certname) => access.admit('query', { certname }));
    return (await Promise.allSettled(requests)).map(({ status }) => status === 'fulfilled');
  };
  const codes = (): string[] => alerts.active().map(({ code }) => code);
  expect(await mayQuery()).toEqual([true, false]);
  rmSync(list);
  await until(() => codes().includes('authorization.file'));
  expect(await mayQuery()).toEqual([true, false]);
  writeFileSync(list, 'b.test');
  await until(() => codes().length === 0);
  expect(await mayQuery()).toEqual([false, true]);
});

test('a missing allowlist is refused at the start', async () => {
  await expect(open([...https, '--certificate-allowlist', join(folder, 'none')])).rejects.toMatchObject({
    code: 'config.file',
  });
});
