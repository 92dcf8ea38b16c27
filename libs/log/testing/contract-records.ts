import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { isFault } from '#fault';
import type { CommandLog, LogReader, PreparedBase, ReadLimits } from '../command-log';
import { partitionOf } from '../partition';
import { offsetAfter, type LogRecord, type NewRecord, type Position } from '../record';

export const wide: ReadLimits = { maxRecords: 1000, maxBytes: 64 << 20 };
export const allOf = (partitions: number, offset = 1): Map<number, number> =>
  new Map(Array.from({ length: partitions }, (_, partition) => [partition, offset]));

export const newRecord = (certname: string, over: Partial<NewRecord> = {}): NewRecord => ({
  uuid: randomUUID(),
  command: 'replace facts',
  version: 5,
  certname,
  receivedAt: 1_767_225_600_123,
  encoding: 'identity',
  payload: Buffer.from(certname),
  ...over,
});

/** Reads until `count` records have arrived. Fails after 10 s without a record. */
export async function readRecords(reader: LogReader, count: number, limits = wide): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  const patience = AbortSignal.timeout(10_000);
  while (records.length < count) {
    const batch = await reader.next(limits, patience);
    assert.ok(batch.length > 0, `${records.length} of ${count} records came`);
    records.push(...batch);
  }
  return records;
}

export const at = ({ partition, offset }: Position): string => `${partition}:${offset}`;

export function certnameOf(partition: number, partitions: number): string {
  for (let n = 0; ; n++) {
    if (partitionOf(`node-${n}`, partitions) === partition) return `node-${n}`;
  }
}

export async function faultOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  assert.ok(isFault(error), `a Fault was expected, not ${String(error)}`);
  return `${error.kind} ${error.code}`;
}

/**
 * Returns all records that a replay reads: the base, then the tail. Reads `base` if it is given, and otherwise the
 * current base.
 */
export async function replayed(log: CommandLog, base?: PreparedBase): Promise<LogRecord[]> {
  const extent = await log.extent();
  const [starts, ends] = [(await base?.starts()) ?? extent.starts, extent.ends];
  const open = new Map([...starts].filter(([partition, start]) => start < (ends.get(partition) as number)));
  const reader = (base ?? log).reader(starts);
  const records: LogRecord[] = [];
  const expected = new Map(starts);
  while (open.size > 0) {
    const batch = await reader.next({ maxRecords: 7, maxBytes: 1 << 20 }, AbortSignal.timeout(10_000));
    assert.ok(batch.length > 0, 'the replay ends too early');
    for (const record of batch) {
      assert.equal(record.offset, expected.get(record.partition), 'each record says which one follows');
      expected.set(record.partition, offsetAfter(record));
      if (offsetAfter(record) >= (ends.get(record.partition) as number)) open.delete(record.partition);
    }
    records.push(...batch);
  }
  await reader.close();
  return records.sort((a, b) => a.partition - b.partition || a.offset - b.offset);
}

export async function* some(
  records: readonly LogRecord[],
  keep: (record: LogRecord) => boolean,
): AsyncGenerator<LogRecord> {
  for (const record of records) if (keep(record)) yield record;
}

/** Returns the record without `next`, which differs between a base and a tail. */
export const bare = ({ next: _next, ...record }: LogRecord): LogRecord => record;

/** Appends `each` records to every partition. The payloads have several sizes. */
export async function fill(log: CommandLog, partitions: number, each: number): Promise<void> {
  for (let n = 0; n < each; n++) {
    await Promise.all(
      Array.from({ length: partitions }, (_, partition) =>
        log.append(
          newRecord(certnameOf(partition, partitions), {
            version: n,
            payload: randomBytes(n * 100),
            headers: { n: `${n}` },
          }),
        ),
      ),
    );
  }
}

export const isOdd = ({ offset }: LogRecord): boolean => offset % 2 === 1;
