import { diskReserve, mostLogBytes } from './disk-space';
import { storageOn } from './read-storage';

const gb = 1e9;
const day = 86_400;
const ofLog = { logBytes: 10 * gb, sectionBytes: gb, logSince: 0, logBytesPerDay: gb };
const size = { ...ofLog, tableBytes: 0, pastBytes: 0, otherBytes: 0, walBytes: 0, recordBytes: 1 };
const settings = { logHistory: 30 * day * 1_000, snapshotInterval: 7 * day * 1_000, minFreeDisk: gb, logMaxBytes: 0 };
const secondsUntilFull = (over: Partial<typeof size>, free: number, changed: Partial<typeof settings> = {}) =>
  storageOn({ ...size, ...over }, { free, total: 100 * gb }, { ...settings, ...changed }).disk?.secondsUntilFull;

test('the disk is full when the log has grown by all that is free except for the reserve', () => {
  expect(secondsUntilFull({}, 6 * gb)).toBe(5 * day);
  expect(secondsUntilFull({}, 0.5 * gb)).toBe(0);
});

test('the disk is never full if snapshots end the growth before, or if the log does not grow', () => {
  // Snapshots let the log grow by at most 27 GB, to 37 GB.
  expect(secondsUntilFull({}, 27.5 * gb)).toBe(26.5 * day);
  expect(secondsUntilFull({}, 28.5 * gb)).toBeUndefined();
  expect(secondsUntilFull({}, 28.5 * gb, { snapshotInterval: 0 })).toBe(27.5 * day);
  expect(secondsUntilFull({ logBytesPerDay: 0 }, 2 * gb)).toBeUndefined();
});

test('the disk is never full if a snapshot ends the growth at the largest size of the log', () => {
  expect(secondsUntilFull({}, 6 * gb, { logMaxBytes: 15 * gb })).toBeUndefined();
  expect(secondsUntilFull({}, 5 * gb, { logMaxBytes: 15 * gb })).toBe(4 * day);
});

test('the largest size of the log is a quarter of the file system, unless it is set', () => {
  expect(mostLogBytes(undefined, 100 * gb)).toBe(25 * gb);
  expect(mostLogBytes(7, 100 * gb)).toBe(7);
  expect(mostLogBytes(0, 100 * gb)).toBe(Infinity);
});

test('the reserve is a tenth of the file system, at most 2 GiB, unless it is set', () => {
  expect(diskReserve(undefined, 300e6)).toBe(30e6);
  expect(diskReserve(undefined, 500 * gb)).toBe(2 * 2 ** 30);
  expect(diskReserve(0, 500 * gb)).toBe(0);
});
