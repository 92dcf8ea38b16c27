import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileContent } from '#config';
import { Fault } from '#fault';
import { Alerts, openLog } from '#observe';
import { until } from '../../test/support/until';
import { FileMonitor } from './file-monitor';

const folder = mkdtempSync(join(tmpdir(), 'nodeledger-watch-'));
const path = join(folder, 'numbers');
const log = openLog({ level: 'silent' });
const alerts = new Alerts(log);
const codes = (): string[] => alerts.active().map(({ code }) => code);
let watch: FileMonitor;
let reloads = 0;

const number = (text: string): number => {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Fault('malformed', 'config.file', 'that is no number', { hint: 'Write digits.' });
};

async function watched(intervalMs: number): Promise<FileContent<number>> {
  writeFileSync(path, '1');
  const content = await FileContent.open({ what: 'the numbers', path, code: 'config.file' }, number);
  watch = new FileMonitor({ alerts, log, onHangup: true, intervalMs });
  reloads = 0;
  watch.add({
    what: 'the numbers',
    paths: [path],
    alert: 'authorization.file',
    reload: () => {
      reloads++;
      return content.reload();
    },
  });
  return content;
}

afterEach(() => watch.stop());
afterAll(() => {
  alerts.close();
  rmSync(folder, { recursive: true });
});

test('a change is used; a faulty one raises an alert until the file is good', async () => {
  const content = await watched(20);
  writeFileSync(path, '22');
  await until(() => content.current === 22);
  writeFileSync(path, 'three');
  await until(() => codes().length > 0);
  expect(alerts.active()).toMatchObject([
    {
      code: 'authorization.file',
      message: 'The new content of the numbers is invalid: that is no number.',
      effect: 'The previous content stays in use.',
      hint: 'Write digits.',
    },
  ]);
  expect(content.current).toBe(22);
  writeFileSync(path, '4444');
  await until(() => codes().length === 0);
  expect(content.current).toBe(4444);
  rmSync(path);
  await until(() => codes().length > 0);
  expect(alerts.active()[0]?.message).toContain('there is no such file');
  expect(content.current).toBe(4444);
  // The earlier content.
  writeFileSync(path, '4444');
  await until(() => codes().length === 0);
});

test('an unusable file is read again, although it does not change, until it is usable', async () => {
  writeFileSync(path, '1');
  watch = new FileMonitor({ alerts, log, onHangup: false, intervalMs: 5 });
  let attempts = 0;
  watch.add({
    what: 'the certificate',
    paths: [path],
    alert: 'tls.files',
    reload: async () => {
      if (++attempts < 3) throw new Error('it is not valid yet');
      return true;
    },
  });
  await until(() => codes().length > 0);
  await until(() => codes().length === 0);
  expect(attempts).toBe(3);
});

test('a file that does not change is not read again', async () => {
  await watched(5);
  await until(() => reloads === 1);
  const before = process.hrtime.bigint();
  await until(() => process.hrtime.bigint() - before > 100_000_000n);
  expect(reloads).toBe(1);
});

test('SIGHUP makes it read at once, and only while it watches', async () => {
  const content = await watched(1_000_000);
  writeFileSync(path, '55555');
  process.emit('SIGHUP');
  await until(() => content.current === 55_555);
  await watch.stop();
  expect(process.listenerCount('SIGHUP')).toBe(0);
});

test('with nothing to watch, SIGHUP ends the process as usual', () => {
  watch = new FileMonitor({ alerts, log, onHangup: true });
  expect(process.listenerCount('SIGHUP')).toBe(0);
});
