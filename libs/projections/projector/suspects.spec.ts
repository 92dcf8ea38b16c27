import type { LogRecord } from '#log';
import { SuspectRecords } from './suspects';

const record = (partition: number, offset: number): LogRecord => ({ partition, offset }) as LogRecord;

test('rejects only the record of the named partition and offset', () => {
  const suspects = new SuspectRecords(
    { suspectsBefore: new Map(), reject: [{ partition: 1, offset: 7, reason: 'out of memory' }] },
    undefined,
  );
  const rejected = suspects.rejected([record(0, 7), record(1, 6), record(1, 7), record(2, 7)]);
  expect([...rejected.keys()]).toEqual([record(1, 7)]);
  expect(rejected.get([...rejected.keys()][0]!)).toMatchObject({ code: 'projections.fatal-record' });
});
