import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { offsetAfter, type LogRecord } from '../record';
import type { ContractCase } from './contract-case';
import { allOf, at, bare, certnameOf, fill, isOdd, newRecord, readRecords, replayed, some } from './contract-records';

export const baseContract: readonly ContractCase[] = [
  {
    title: 'is all tail, from the first record, until it has a base',
    async check(make) {
      const log = await (await make(3)).open();
      assert.deepEqual(await log.extent(), { starts: allOf(3), tails: allOf(3), ends: allOf(3) });
      await fill(log, 3, 2);
      assert.deepEqual(await log.extent(), { starts: allOf(3), tails: allOf(3), ends: allOf(3, 3) });
      await log.truncate();
      assert.equal((await replayed(log)).length, 6);
      await log.close();
    },
  },
  {
    title: 'keeps the records of a base at their places, and of the rest only the tail',
    async check(make) {
      const body = await make(3);
      const log = await body.open();
      await fill(log, 3, 10);
      const before = await replayed(log);
      // The base keeps the records at odd offsets before 8 in partition 0, no record of partition 1, and all records of
      // partition 2.
      const tails = new Map([
        [0, 8],
        [1, 11],
        [2, 1],
      ]);
      const kept = (record: LogRecord): boolean =>
        record.offset >= (tails.get(record.partition) as number) || (record.partition === 0 && isOdd(record));
      const base = await log.prepareBase(
        tails,
        some(before, (record) => record.partition === 0 && record.offset < 8 && isOdd(record)),
      );
      assert.deepEqual((await replayed(log)).map(bare), before, 'what is prepared is not in force');
      assert.deepEqual((await log.extent()).tails, allOf(3));
      assert.deepEqual(
        await base.starts(),
        new Map([
          [0, 1],
          [1, 11],
          [2, 1],
        ]),
      );
      const wanted = before.filter(kept);
      assert.deepEqual((await replayed(log, base)).map(bare), wanted);

      await base.commit();
      const ends = await log.ends();
      assert.deepEqual(await log.extent(), { starts: await base.starts(), tails, ends });
      assert.deepEqual((await replayed(log)).map(bare), wanted);
      assert.deepEqual(
        (await replayed(log)).filter(({ partition, offset }) => partition === 0 && offset < 8).map(offsetAfter),
        [3, 5, 7, 8],
      );
      for (let time = 0; time < 2; time++) {
        await log.truncate();
        assert.deepEqual((await replayed(log)).map(bare), wanted);
      }
      if (log.lookUp !== undefined) {
        const { lookUp } = log;
        const backwards = [...wanted].reverse();
        assert.deepEqual((await lookUp(backwards, 1 << 20)).map(bare), backwards, 'of the base and of the tail');
        assert.deepEqual((await lookUp(backwards, 1)).map(bare), backwards.slice(0, 1), 'one comes whatever its size');
        assert.deepEqual(await lookUp([], 1), []);
        const [first] = wanted as [LogRecord];
        const gone = { partition: 0, offset: 2 };
        for (const positions of [
          [gone, first],
          [first, gone],
        ]) {
          await assert.rejects(lookUp(positions, 1 << 20), { kind: 'missing', code: 'log.no-record' });
        }
      }
      // Starts one partition at an offset in the base, and another partition at an offset in the tail.
      const reader = log.reader(
        new Map([
          [0, 5],
          [2, 9],
        ]),
      );
      assert.deepEqual((await readRecords(reader, 7)).map(at).sort(), [
        '0:10',
        '0:5',
        '0:7',
        '0:8',
        '0:9',
        '2:10',
        '2:9',
      ]);
      await reader.close();
      assert.equal((await log.append(newRecord(certnameOf(1, 3)))).offset, 11);

      const again = await body.open();
      assert.deepEqual(await again.extent(), { starts: await base.starts(), tails, ends: await log.ends() });
      assert.deepEqual((await replayed(again)).length, wanted.length + 1);
      await again.close();
      await log.close();
    },
  },
  {
    title: 'replaces a base by the next one, and forgets one that is given up',
    async check(make) {
      const log = await (await make(2)).open();
      await fill(log, 2, 6);
      const all = await replayed(log);
      const first = await log.prepareBase(
        new Map([
          [0, 5],
          [1, 4],
        ]),
        some(all, (record) => isOdd(record) && record.offset < (record.partition === 0 ? 5 : 4)),
      );
      await first.commit();
      await log.truncate();
      const afterFirst = await replayed(log);
      const givenUp = await log.prepareBase(
        new Map([
          [0, 7],
          [1, 7],
        ]),
        some([], () => true),
      );
      await givenUp.discard();
      await log.truncate();
      assert.deepEqual(await replayed(log), afterFirst);

      const second = await log.prepareBase(
        new Map([
          [0, 7],
          [1, 6],
        ]),
        some(
          afterFirst.map(bare),
          ({ partition, offset }) => (partition === 0 && offset === 3) || (partition === 1 && offset === 5),
        ),
      );
      await second.commit();
      const wanted = ['0:3', '1:5', '1:6'];
      assert.deepEqual((await replayed(log)).map(at), wanted);
      await log.truncate();
      assert.deepEqual((await replayed(log)).map(at), wanted);
      assert.deepEqual((await replayed(log)).map(offsetAfter), [7, 6, 7]);
      await log.close();
    },
  },
  {
    title: 'takes appends while a base is made, and loses none',
    async check(make) {
      const log = await (await make(2)).open();
      await fill(log, 2, 5);
      const all = await replayed(log);
      const stop = new AbortController();
      const appended: string[] = [];
      const appending = (async () => {
        for (let n = 0; n < 500 && !stop.signal.aborted; n++)
          appended.push(at(await log.append(newRecord(`late-${n}`))));
      })();
      const base = await log.prepareBase(
        new Map([
          [0, 6],
          [1, 6],
        ]),
        some(all, isOdd),
      );
      await base.commit();
      await log.truncate();
      stop.abort();
      await appending;
      assert.ok(appended.length > 0);
      const wanted = [...all.filter(isOdd).map(at), ...appended];
      assert.deepEqual((await replayed(log)).map(at).sort(), wanted.sort());
      await log.close();
    },
  },
  {
    title: 'keeps large payloads and every header in a base',
    async check(make) {
      const log = await (await make(1)).open();
      for (let n = 0; n < 4; n++) {
        await log.append(
          newRecord('ö"\\', {
            payload: randomBytes(3_000_001),
            encoding: n % 2 === 0 ? 'gzip' : 'identity',
            headers: { 'retry-of': '0-1', ü: '"' },
          }),
        );
      }
      const all = await replayed(log);
      const base = await log.prepareBase(
        new Map([[0, 5]]),
        some(all, () => true),
      );
      await base.commit();
      await log.truncate();
      assert.deepEqual((await replayed(log)).map(bare), all);
      await log.close();
    },
  },
];
