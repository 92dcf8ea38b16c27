/**
 * Test cases that every implementation of `CommandLog` must pass. A spec runs them, because the cases use assertions
 * but no test runner.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandLog, ReadLimits } from '../command-log';
import { partitionOf } from '../partition';
import type { Position } from '../record';
import { baseContract } from './base-contract';
import type { ContractCase } from './contract-case';
import { allOf, at, certnameOf, faultOf, newRecord, readRecords, wide } from './contract-records';
import { payloadContract } from './payload-contract';

export const commandLogContract: readonly ContractCase[] = [
  {
    title: 'says who it is, the same each time, and begins behind its headers',
    async check(make) {
      const log = await (await make(3)).open();
      const identity = await log.open();
      assert.equal(identity.partitions, 3);
      assert.match(identity.logId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      assert.deepEqual(await log.open(), identity);
      assert.deepEqual(await log.ends(), allOf(3));
      const reader = log.reader(allOf(3, 0));
      await log.append(newRecord('a'));
      const [only, ...more] = await readRecords(reader, 1);
      assert.deepEqual([only?.certname, only?.offset, more], ['a', 1, []]);
      await reader.close();
      await log.close();
    },
  },
  {
    title: 'gives contiguous offsets and keeps the order of each certname, also between instances',
    async check(make) {
      const body = await make(4);
      const logs = [await body.open(), await body.open()];
      const reader = (logs[0] as CommandLog).reader(allOf(4));
      const appends = Array.from({ length: 400 }, (_, n) => {
        const certname = `node-${n % 14}`;
        // Always appends the records of a certname to the same instance, because a client also sends the commands of a
        // node to one instance.
        const log = logs[n % 2] as CommandLog;
        return log.append(newRecord(certname, { version: n, payload: randomBytes(n * 10) }));
      });
      const reading = readRecords(reader, 400, { maxRecords: 37, maxBytes: 60_000 });
      const positions = await Promise.all(appends);
      const records = await reading;
      assert.deepEqual(records.map(at).sort(), positions.map(at).sort());
      for (let partition = 0; partition < 4; partition++) {
        const offsets = records.filter((record) => record.partition === partition).map((record) => record.offset);
        assert.deepEqual(
          offsets,
          Array.from(offsets, (_, index) => index + 1),
        );
      }
      for (let n = 0; n < 14; n++) {
        const versions = records.filter((record) => record.certname === `node-${n}`).map((record) => record.version);
        assert.deepEqual(
          versions,
          [...versions].sort((a, b) => a - b),
        );
      }
      positions.forEach((position, n) => {
        assert.equal(position.partition, partitionOf(`node-${n % 14}`, 4));
        assert.equal(records.find((record) => at(record) === at(position))?.version, n);
      });
      await reader.close();
      for (const log of logs) await log.close();
    },
  },
  {
    title: 'keeps every byte and every header',
    async check(make) {
      const log = await (await make(2)).open();
      const given = [
        newRecord('bytes', { payload: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), encoding: 'gzip' }),
        newRecord('empty', { payload: Buffer.alloc(0) }),
        newRecord('large', { payload: randomBytes(3_000_001) }),
        newRecord('knöten "\\{},NULL \u{1f600}', { command: 'store report', version: 8, receivedAt: 0 }),
        newRecord('NULL', { headers: { 'producer-timestamp': "2026-01-01T00:00:00.000Z'", 'retry-of': '"\\', ü: '' } }),
      ];
      const positions = await Promise.all(given.map((record) => log.append(record)));
      const reader = log.reader(allOf(2));
      const records = await readRecords(reader, given.length);
      given.forEach((record, index) => {
        const position = positions[index] as Position;
        assert.deepEqual(
          records.find((found) => at(found) === at(position)),
          { ...record, ...position },
        );
      });
      await reader.close();
      await log.close();
    },
  },
  {
    title: 'wakes a waiting reader, and lets it go where the signal aborts, the reader or the log is closed',
    async check(make) {
      const log = await (await make(2)).open();
      const reader = log.reader(allOf(2));
      const waiting = reader.next(wide);
      assert.equal(await Promise.race([waiting, delay(50).then(() => 'waits')]), 'waits');
      await log.append(newRecord('late'));
      assert.deepEqual(
        (await waiting).map((record) => record.certname),
        ['late'],
      );

      const abort = new AbortController();
      const aborted = reader.next(wide, abort.signal);
      await delay(10);
      abort.abort();
      assert.deepEqual(await aborted, []);
      assert.deepEqual(await reader.next(wide, abort.signal), []);

      const closed = reader.next(wide);
      await delay(10);
      await reader.close();
      assert.deepEqual([await closed, await reader.next(wide)], [[], []]);

      const last = log.reader(allOf(2)).next(wide);
      assert.equal((await last).length, 1);
      const end = log.reader(await log.ends()).next(wide);
      await delay(10);
      await log.close();
      assert.deepEqual(await end, []);
    },
  },
  {
    title: 'keeps to the limits, and gives a record beyond them alone',
    async check(make) {
      const log = await (await make(1)).open();
      for (const size of [100, 100, 100, 5000, 10]) await log.append(newRecord('n', { payload: Buffer.alloc(size) }));
      const sizes = async (limits: ReadLimits, batches: number): Promise<number[][]> => {
        const reader = log.reader(allOf(1));
        const found: number[][] = [];
        while (found.length < batches) found.push((await reader.next(limits)).map(({ payload }) => payload.length));
        await reader.close();
        return found;
      };
      assert.deepEqual(await sizes({ maxRecords: 2, maxBytes: 1 << 20 }, 3), [[100, 100], [100, 5000], [10]]);
      assert.deepEqual(await sizes({ maxRecords: 9, maxBytes: 250 }, 4), [[100, 100], [100], [5000], [10]]);
      assert.deepEqual(await sizes({ maxRecords: 9, maxBytes: 1 }, 5), [[100], [100], [100], [5000], [10]]);
      await log.close();
    },
  },
  {
    title: 'reads the partitions that it is asked for, from where it is asked to',
    async check(make) {
      const log = await (await make(3)).open();
      for (let n = 0; n < 9; n++) await log.append(newRecord(certnameOf(n % 3, 3), { version: n }));
      const reader = log.reader(
        new Map([
          [1, 2],
          [2, 3],
        ]),
      );
      const found = await readRecords(reader, 3);
      assert.deepEqual(found.map(at).sort(), ['1:2', '1:3', '2:3']);
      const other = log.reader(allOf(3));
      assert.equal((await readRecords(other, 9)).length, 9);
      await log.append(newRecord(certnameOf(1, 3)));
      assert.deepEqual(
        [(await readRecords(reader, 1)).map(at), (await readRecords(other, 1)).map(at)],
        [['1:4'], ['1:4']],
      );
      await reader.close();
      await other.close();
      await log.close();
    },
  },
  {
    title: 'lets no partition starve another',
    async check(make) {
      const log = await (await make(3)).open();
      const busy = Array.from({ length: 90 }, () => log.append(newRecord(certnameOf(0, 3))));
      await Promise.all([...busy, log.append(newRecord(certnameOf(1, 3))), log.append(newRecord(certnameOf(2, 3)))]);
      const reader = log.reader(allOf(3));
      const limits = { maxRecords: 4, maxBytes: 1 << 20 };
      const early = [...(await reader.next(limits)), ...(await reader.next(limits)), ...(await reader.next(limits))];
      assert.deepEqual([...new Set(early.map(({ partition }) => partition))].sort(), [0, 1, 2]);
      await reader.close();
      await log.close();
    },
  },
  {
    title: 'tells its ends: all below can be read, the next append gets them',
    async check(make) {
      const log = await (await make(2)).open();
      for (let n = 0; n < 10; n++) await log.append(newRecord(`node-${n}`));
      const ends = await log.ends();
      assert.equal(
        [...ends.values()].reduce((sum, end) => sum + end - 1, 0),
        10,
      );
      const { partition, offset } = await log.append(newRecord('one more'));
      assert.equal(offset, ends.get(partition));
      await log.close();
    },
  },
  {
    title: 'refuses what it cannot do',
    async check(make) {
      const log = await (await make(2)).open();
      assert.equal(await faultOf(log.reader(new Map([[7, 1]])).next(wide)), 'missing log.no-partition');
      assert.equal(await faultOf(log.reader(new Map([[0, 99]])).next(wide)), 'broken log.past-end');
      await log.close();
      assert.equal(await faultOf(log.append(newRecord('a'))), 'busy log.unavailable');
    },
  },
  ...payloadContract,
  ...baseContract,
  {
    title: 'tells which offset a time stands for',
    async check(make) {
      const log = await (await make(1)).open();
      const before = Date.now() - 1;
      for (let n = 0; n < 3; n++) await log.append(newRecord('a', { receivedAt: Date.now() }));
      await delay(20);
      const between = Date.now();
      await delay(20);
      for (let n = 0; n < 2; n++) await log.append(newRecord('a', { receivedAt: Date.now() }));
      const offsets = async (time: number): Promise<number | undefined> => (await log.offsetsSince(time)).get(0);
      assert.deepEqual([await offsets(before), await offsets(between), await offsets(Date.now() + 60_000)], [1, 4, 6]);
      await log.close();
    },
  },
];
