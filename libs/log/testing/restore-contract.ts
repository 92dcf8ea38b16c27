import assert from 'node:assert/strict';
import { isFault } from '#fault';
import type { CommandLog } from '../command-log';
import type { LogContent } from '../log-content';
import { MemoryCommandLog } from './memory-command-log';
import { offsetAfter, type LogRecord } from '../record';
import { certnameOf, newRecord } from './contract-records';

const partitions = 3;

/** Returns the record without `next`, which differs between a base and a tail. */
const bare = ({ next: _next, ...record }: LogRecord): LogRecord => record;

/**
 * Returns all records that a replay reads, by position. Checks that `next` of each record is the offset of the
 * following record.
 */
async function everything(log: CommandLog): Promise<Map<string, LogRecord>> {
  const { starts, ends } = await log.extent();
  const open = new Map([...starts].filter(([partition, start]) => start < (ends.get(partition) as number)));
  const found = new Map<string, LogRecord>();
  const reader = log.reader(open);
  while (open.size > 0) {
    const records = await reader.next({ maxRecords: 5, maxBytes: 1 << 20 }, AbortSignal.timeout(20_000));
    assert.ok(records.length > 0, 'the replay ends too early');
    for (const record of records) {
      assert.equal(record.offset, open.get(record.partition), 'each record says which one follows');
      found.set(`${record.partition}:${record.offset}`, bare(record));
      open.set(record.partition, offsetAfter(record));
      if (offsetAfter(record) >= (ends.get(record.partition) as number)) open.delete(record.partition);
    }
  }
  await reader.close();
  return found;
}

/**
 * Restores a log with three partitions. The first has a base and a tail, the second has an empty base and a tail, the
 * third has no records. `make` returns an empty log that is not open.
 */
export async function checkRestore(make: () => Promise<CommandLog>): Promise<void> {
  const source = new MemoryCommandLog({ partitions });
  const identity = await source.open();
  for (let n = 0; n < 20; n++) {
    await source.append(
      newRecord(certnameOf(n % 2, partitions), {
        version: n,
        payload: Buffer.from(JSON.stringify({ n, text: 'x'.repeat(n * 200) })),
        ...(n % 3 === 0 && { headers: { n: `${n}` } }),
      }),
    );
  }
  const tails = new Map([
    [0, 7],
    [1, 11],
    [2, 1],
  ]);
  const kept = [...(await everything(source)).values()].filter(
    ({ partition, offset }) => partition === 0 && offset % 2,
  );
  async function* some(records: Iterable<LogRecord>, keep: (record: LogRecord) => boolean): AsyncGenerator<LogRecord> {
    for (const record of records) if (keep(record)) yield record;
  }
  const isBase = ({ partition, offset }: LogRecord): boolean => offset < (tails.get(partition) as number);
  await (await source.prepareBase(tails, some(kept, isBase))).commit();
  await source.truncate();
  const expected = await everything(source);
  const ends = await source.ends();
  const content: LogContent = {
    identity,
    tails,
    ends,
    base: () => some(expected.values(), isBase),
    tail: () => some(expected.values(), (record) => !isBase(record)),
  };

  const target = await make();
  await target.restore(content);
  assert.deepEqual(await target.open(), identity);
  assert.deepEqual(await target.extent(), await source.extent());
  assert.deepEqual(await target.ends(), ends);
  assert.deepEqual([...(await everything(target))].sort(), [...expected].sort());
  // The next append gets the offset after the last restored record.
  const added = newRecord(certnameOf(1, partitions));
  assert.deepEqual(await target.append(added), { partition: 1, offset: ends.get(1) });
  assert.equal((await everything(target)).get(`1:${ends.get(1)}`)?.uuid, added.uuid);
  const again = await target.restore(content).catch((error: unknown) => error);
  assert.ok(isFault(again) && again.code === 'log.not-empty', `it is not restored into twice: ${String(again)}`);
  await target.close();
}
