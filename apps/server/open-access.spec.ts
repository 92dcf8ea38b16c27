/** The allowlist changes while the service runs. The file of roles: test/e2e/authorization.spec.ts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Access } from '#access';
import { readSettings } from '#config';
import { Alerts, openLog } from '#observe';
import { until } from '../../test/support/until';
import { FileWatch } from './file-watch';
import { openAccess } from './open-access';
import { Undo } from './undo';

const folder = mkdtempSync(join(tmpdir(), 'nodeledger-open-access-'));
const log = openLog({ level: 'silent' });
const alerts = new Alerts(log);
const files = new FileWatch({ alerts, log, onHangup: false, intervalMs: 20 });
const undo = new Undo((_, error) => {
  throw error;
});
afterAll(async () => {
  await files.stop();
  alerts.close();
  rmSync(folder, { recursive: true });
});

const open = (flags: readonly string[]): Promise<Access | undefined> =>
  openAccess(readSettings(flags, {}).settings, {
    connectionString: '',
    files,
    outages: { report: () => undefined },
    onFailure: () => undefined,
    undo,
  });
const https = ['--tls-cert', 'cert', '--tls-key', 'key', '--tls-ca', 'ca'];

test('without HTTPS and without a file of roles, no roles are checked', async () => {
  expect(await open([])).toBeUndefined();
});

test('a new allowlist is used; a missing one raises an alert, and the earlier one stays in use', async () => {
  const list = join(folder, 'list');
  writeFileSync(list, 'a.test\n');
  const access = await open([...https, '--certificate-allowlist', list]);
  const mayQuery = async (): Promise<boolean[]> => {
    const asked = ['a.test', 'b.test'].map(async (certname) => access?.admit('query', { certname }));
    return (await Promise.allSettled(asked)).map(({ status }) => status === 'fulfilled');
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
