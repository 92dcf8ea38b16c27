import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, type Settings, showByteSize } from '#config';
import { appliedPositions } from '#database';
import { type CommandLog, EmbeddedCommandLog } from '#log';
import { Alerts, openLog } from '#observe';
import { newRecord } from '../../../libs/log/testing/contract-records';
import { ProjectionBench } from '../../../test/support/projection';
import { until } from '../../../test/support/until';
import { diskSpace } from './disk-space';
import { waitingCommands } from '../waiting-commands';
import { readStorageSize } from './read-storage';
import { StorageMonitor } from './storage-monitor';

const alerts = new Alerts(openLog({ level: 'silent' }));
let bench: ProjectionBench;
let dataDir: string;
let watch: StorageMonitor;

beforeAll(async () => {
  bench = await ProjectionBench.open();
  dataDir = await mkdtemp(join(tmpdir(), 'nodeledger-storage-'));
  await mkdir(join(dataDir, 'postgres'));
});
afterEach(() => watch.close());
afterAll(async () => {
  alerts.close();
  await bench.close();
  await rm(dataDir, { recursive: true });
});

/** Starts a monitor and returns its settings. The test can change `minFreeDisk` in these settings later. */
function start(over: Partial<Settings> = {}, log: Pick<CommandLog, 'ends'> = bench.log): Settings {
  const settings: Settings = { ...readSettings([], { NODELEDGER_DATA_DIR: dataDir }).settings, ...over };
  watch = new StorageMonitor({ settings, db: bench.db, log, alerts });
  return settings;
}
const untilLow = (isLow: boolean): Promise<void> =>
  until(() => watch.isLow === isLow, { what: `low: ${isLow}`, withinMs: 10_000, everyMs: 50 });

test('refuses commands while less than the reserve is free, and accepts them again by itself', async () => {
  const snapshots: string[] = [];
  const settings = start({ minFreeDisk: Number.MAX_SAFE_INTEGER });
  watch.snapshots = { pause: () => void snapshots.push('pause'), start: () => void snapshots.push('start') };
  await untilLow(true);
  const refusal = watch.refusal();
  expect(refusal).toMatchObject({ kind: 'busy', code: 'database.disk-low' });
  expect(refusal?.message).toMatch(
    /^The disk of .* is almost full: [\d.]+ [MGT]B of [\d.]+ [MGT]B are free, and [\d.]+ TB must stay free \(NODELEDGER_MIN_FREE_DISK\)\. Since /,
  );
  expect(refusal?.hint).toContain('Enlarge the file system');
  expect(alerts.active()).toMatchObject([{ code: 'database.disk-low' }]);
  expect(snapshots.at(-1)).toBe('pause');
  settings.minFreeDisk = 1;
  await untilLow(false);
  expect(watch.refusal()).toBeUndefined();
  expect(alerts.active()).toEqual([]);
  expect(snapshots.at(-1)).toBe('start');
});

test('needs a tenth more free space to accept commands again than to go on', async () => {
  const { free } = await diskSpace(dataDir);
  const settings = start({ minFreeDisk: free / 1.05 });
  await until(async () => (await watch.storage())?.disk !== undefined, { what: 'a look at the disk' });
  expect(watch.isLow).toBe(false);
  settings.minFreeDisk = Number.MAX_SAFE_INTEGER;
  await untilLow(true);
  settings.minFreeDisk = free / 1.05;
  const { message } = alerts.active()[0]!;
  await until(() => alerts.active()[0]?.message !== message, { what: 'another look', withinMs: 10_000 });
  expect(watch.isLow).toBe(true);
});

test('reserves space for commands that are accepted and not applied yet', async () => {
  const log = new EmbeddedCommandLog(bench.db, { partitions: 4 });
  await log.open();
  await log.append(newRecord('a'));
  // A log with so many records needs more bytes than the disk has.
  const ends = (): Promise<Map<number, number>> => Promise.resolve(new Map([[0, 1e12]]));
  start({ minFreeDisk: 1 }, { ends });
  await untilLow(true);
  expect(watch.refusal()?.message).toMatch(
    /1 B must stay free \(NODELEDGER_MIN_FREE_DISK\), and \d+ TB for commands that are accepted and not applied yet\. /,
  );
  await log.close();
});

test('reserves space for the write-ahead log of these commands, too', async () => {
  const log = new EmbeddedCommandLog(bench.db, { partitions: 4 });
  await log.open();
  await log.append(newRecord('a'));
  const ends = new Map([[0, 100]]);
  const settings = start({ minFreeDisk: Number.MAX_SAFE_INTEGER }, { ends: () => Promise.resolve(ends) });
  await untilLow(true);
  const { recordBytes } = await readStorageSize(bench.db, settings);
  expect(recordBytes).toBeGreaterThan(0);
  // Nothing is applied yet, so each record is assumed to need ten times its size in the tables.
  const tables = waitingCommands(ends, await appliedPositions(bench.db)) * 10 * recordBytes;
  expect(watch.refusal()?.message).toContain(`, and ${showByteSize(2 * tables)} for commands that are accepted`);
  await log.close();
});

test('refuses nothing if no reserve is wanted', async () => {
  start({ minFreeDisk: 0 }, { ends: () => Promise.resolve(new Map([[0, 1e12]])) });
  await until(async () => (await watch.storage())?.disk !== undefined, { what: 'a look at the disk' });
  expect(watch.isLow).toBe(false);
});

test('knows what the database holds, and nothing of the disk of another server', async () => {
  start({ databaseUrl: 'postgres://db.example.com/nodeledger' });
  const storage = await watch.storage();
  expect(storage).toMatchObject({ walBytes: expect.any(Number) as number });
  expect(storage?.tableBytes).toBeGreaterThan(100_000);
  expect(storage?.pastBytes).toBeGreaterThan(100_000);
  expect(storage?.logBytes).toBeGreaterThan(0);
  expect(storage?.disk).toBeUndefined();
  expect(watch.refusal()).toBeUndefined();
});
