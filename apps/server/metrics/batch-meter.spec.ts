import type { LogRecord } from '#log';
import { BatchMeter } from './batch-meter';
import { ServiceMeters } from './service-meters';

let now: number;
const time = (): number => now;
beforeEach(() => (now = 10_000));

const record = (offset: number, command = 'replace facts', version = 5): LogRecord =>
  ({ partition: 0, offset, command, version, receivedAt: 9_000 }) as LogRecord;

test('a batch that waits for the database and goes through in two parts', () => {
  const meter = new BatchMeter(time, time);
  const meters = new ServiceMeters();
  const projector = meters.addProjector();
  const batch = [record(1), record(2, 'replace catalog', 9), record(3)];
  const facts = meters.commands.of('replace facts', '5');
  const catalogs = meters.commands.of('replace catalog', '9');

  meter.begin(batch);
  now = 10_500;
  projector.batchWaits(0, meter.retried());
  expect([facts.awaitingRetry.count, catalogs.awaitingRetry.count, meters.allCommands.retried.count]).toEqual([
    2, 1, 3,
  ]);

  // The database refused the batch as too large, so the projector applies the same records again in smaller batches.
  meter.begin(batch.slice(0, 2));
  now = 11_000;
  projector.batchCommitted(0, meter.committed(['applied', 'unchanged']));
  expect([facts.awaitingRetry.count, meters.allCommands.awaitingRetry.count]).toEqual([0, 0]);
  expect([facts.processed.count, catalogs.processed.count, meters.duplicateCatalogs.count]).toEqual([1, 1, 1]);
  // Each of the two commands waited for one second, then took one second, and was tried twice.
  expect(facts.processingTime.sum).toBe(500);
  expect(facts.queueTime.sum).toBe(1);
  expect(facts.retryCounts.sum).toBe(1);

  meter.begin([record(3)]);
  now = 11_010;
  projector.batchCommitted(0, meter.committed(['rejected']));
  expect([facts.seen.count, facts.processed.count, facts.rejected.count]).toEqual([2, 1, 1]);
  expect([facts.processingTime.count, facts.retryCounts.count, facts.queueTime.sum]).toEqual([1, 1, 3]);
});

test('only the first records may be committed; the next batch begins with the others', () => {
  const meter = new BatchMeter(time, time);
  const batch = [record(1), record(2), record(3)];
  meter.begin(batch);
  expect(meter.committed(['applied']).commands.map(({ processed }) => processed)).toEqual([1]);
  now = 12_000;
  meter.begin(batch.slice(1));
  now = 12_100;
  const { ms, commands } = meter.committed(['ignored', 'superseded']);
  expect([ms, commands]).toMatchObject([100, [{ processed: 2, ignored: 1, superseded: 1, queueMs: [3_000, 3_000] }]]);
});

test('only the records that are not committed yet wait for a retry', () => {
  const meter = new BatchMeter(time, time);
  meter.begin([record(1), record(2)]);
  meter.committed(['applied']);
  expect(meter.retried()).toMatchObject([{ processed: 1 }]);
});

test('the steps are those of the attempt that was committed', () => {
  const meter = new BatchMeter(time, time);
  const batch = [record(1)];
  meter.begin(batch);
  now += 100;
  meter.did('write_facts');
  meter.retried();
  now += 5_000;
  meter.begin(batch);
  now += 3;
  meter.did('read_facts');
  now += 4;
  meter.did('write_facts');
  const { ms, steps, commands } = meter.committed(['added']);
  expect([ms, [...steps]]).toEqual([
    5_107,
    [
      ['read_facts', 3],
      ['write_facts', 4],
    ],
  ]);
  expect(commands).toMatchObject([{ processed: 1, added: 1 }]);
});

test('of a projector that ends nothing waits any more', () => {
  const meter = new BatchMeter(time, time);
  const meters = new ServiceMeters();
  const projector = meters.addProjector();
  meter.begin([record(1)]);
  projector.batchWaits(0, meter.retried());
  projector.ended();
  expect(meters.allCommands.awaitingRetry.count).toBe(0);
});
