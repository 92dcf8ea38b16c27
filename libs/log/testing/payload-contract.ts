/**
 * The part of `commandLogContract` about payloads. Readers must get each payload as it was appended, in whatever form
 * the log stores it.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { LogRecord, NewRecord, Position } from '../record';
import type { ContractCase } from './contract-case';
import { allOf, bare, certnameOf, newRecord, readRecords, replayed, some } from './contract-records';

/** Returns about `bytes` bytes of JSON that compress as well as a catalog. */
function plainText(bytes: number): Buffer {
  const resources: string[] = [];
  for (let length = 2; length < bytes; length += (resources.at(-1) as string).length + 1) {
    resources.push(
      JSON.stringify({ type: 'File', title: `/etc/${resources.length}`, hash: randomBytes(4).toString('hex') }),
    );
  }
  return Buffer.from(`[${resources.join()}]`);
}

/**
 * Returns payloads with sizes around the threshold for compression, large payloads, and payloads that cannot be
 * compressed.
 */
const payloads = (): Pick<NewRecord, 'payload' | 'encoding'>[] => [
  { payload: plainText(1_500_000), encoding: 'identity' },
  { payload: Buffer.from('{}'), encoding: 'identity' },
  { payload: plainText(100_000), encoding: 'identity' },
  { payload: gzipSync(plainText(100_000)), encoding: 'gzip' },
  ...[1_023, 1_024, 1_025].map((bytes) => ({ payload: Buffer.alloc(bytes, '[1]'), encoding: 'identity' as const })),
  { payload: randomBytes(50_000), encoding: 'identity' },
  { payload: Buffer.alloc(0), encoding: 'identity' },
  { payload: plainText(5_000_000), encoding: 'identity' },
  // A payload that the client compressed twice. The log must not inflate the inner stream.
  { payload: gzipSync(gzipSync(plainText(5_000))), encoding: 'gzip' },
  { payload: gzipSync(plainText(100_000)), encoding: 'identity' },
  { payload: plainText(5_000), encoding: 'identity' },
];

/** Replaces payloads by their digests, so that a failed assertion prints a short difference. */
const digests = (records: readonly LogRecord[]): unknown[] =>
  records.map(bare).map(({ payload, ...record }) => ({
    ...record,
    bytes: payload.length,
    digest: createHash('sha256').update(payload).digest('hex'),
  }));

export const payloadContract: readonly ContractCase[] = [
  {
    title: 'gives plain payloads as they came, in the order in which they came, from the tail and from a base',
    async check(make) {
      const log = await (await make(1)).open();
      const given = payloads().map((how, version) => newRecord('a', { ...how, version }));
      const reader = log.reader(allOf(1));
      const positions = await Promise.all(given.map((record) => log.append(record)));
      const stored = given.map((record, index) => ({ ...record, partition: 0, offset: index + 1 }));
      const wanted = digests(stored);
      assert.deepEqual(
        positions,
        stored.map(({ partition, offset }) => ({ partition, offset })),
      );
      assert.deepEqual(digests(await readRecords(reader, given.length)), wanted, 'by a reader that has waited');
      await reader.close();
      assert.deepEqual(digests(await replayed(log)), wanted, 'of the tail');
      const lookedUp = async (): Promise<unknown> => digests((await log.lookUp?.(positions, 64 << 20)) ?? stored);
      assert.deepEqual(await lookedUp(), wanted, 'by their places');
      const base = await log.prepareBase(
        new Map([[0, given.length]]),
        some(stored, ({ offset }) => offset < given.length),
      );
      await base.commit();
      await log.truncate();
      assert.deepEqual(digests(await replayed(log)), wanted, 'of the base');
      assert.deepEqual(await lookedUp(), wanted, 'of the base, by their places');
      await log.close();
    },
  },
  {
    title: 'counts payloads as they came, not as they are stored',
    async check(make) {
      const log = await (await make(1)).open();
      const positions: Position[] = [];
      for (let n = 0; n < 4; n++) {
        positions.push(await log.append(newRecord(certnameOf(0, 1), { payload: Buffer.alloc(10_000, '[1]') })));
      }
      const limits = { maxRecords: 9, maxBytes: 25_000 };
      const counts = async (start: ReadonlyMap<number, number>): Promise<number[]> => {
        const reader = log.reader(start);
        const found = [(await reader.next(limits)).length, (await reader.next(limits)).length];
        await reader.close();
        return found;
      };
      assert.deepEqual(await counts(allOf(1)), [2, 2]);
      const base = await log.prepareBase(
        new Map([[0, 5]]),
        some(await replayed(log), () => true),
      );
      await base.commit();
      assert.deepEqual(await counts(allOf(1)), [2, 2]);
      if (log.lookUp !== undefined) assert.equal((await log.lookUp(positions, limits.maxBytes)).length, 2);
      await log.close();
    },
  },
];
