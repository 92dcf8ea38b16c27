import { positionsOf } from '#database';
import { offsetAfter } from '#log';
import { MemoryCommandLog } from '../../log/testing/memory-command-log';
import { factset } from '../../../test/support/documents';
import { day, MaintenanceBench } from '../../../test/support/maintenance';
import { ProjectionBench } from '../../../test/support/projection';
import { DeadLetterStore } from '../dead-letters/dead-letter-store';
import { letterName, retryHeader } from '../dead-letters/letter-name';
import { copyLog } from './copy-log';
import { dropOthers, rebuild } from './rebuild';
import type { ReplayProgress } from './replay-context';
import { snapshot } from './snapshot';
import { verify } from './verify';

let bench: ProjectionBench;
let maintenance: MaintenanceBench;

beforeEach(async () => {
  bench = await ProjectionBench.open(3, false);
  maintenance = new MaintenanceBench(bench);
});
afterEach(() => bench.close());

describe('snapshot', () => {
  const count = async (): Promise<number> => {
    const reader = bench.log.reader((await bench.log.extent()).starts);
    const ends = await bench.log.ends();
    const open = new Set(
      [...(await bench.log.extent()).starts]
        .filter(([partition, start]) => start < ends.get(partition)!)
        .map(([partition]) => partition),
    );
    let records = 0;
    while (open.size > 0) {
      for (const record of await reader.next({ maxRecords: 100, maxBytes: 1 << 20 })) {
        records += 1;
        if (offsetAfter(record) >= ends.get(record.partition)!) open.delete(record.partition);
      }
    }
    await reader.close();
    return records;
  };

  it('keeps what counts, so that base and tail give the tables that everything gives', async () => {
    await maintenance.feed();
    await bench.settle();
    const before = await bench.dump();
    const outcome = await snapshot(maintenance.context(), { historyMs: 0 });
    expect(outcome).toMatchObject({ nothingToDo: false });
    expect(outcome.kept + outcome.removed).toBe(await maintenance.sizeOf());
    expect(await count()).toBe(outcome.kept);
    expect(outcome.kept).toBeLessThan((await maintenance.sizeOf()) - 15);
    expect(await snapshot(maintenance.context(), { historyMs: 0 })).toMatchObject({ nothingToDo: true });
    expect(await rebuild(maintenance.context())).toMatchObject({ switched: true, comparison: { counted: 0 } });
    expect(await bench.dump(await maintenance.live())).toEqual(before);

    // A base made from an earlier base and its tail.
    await bench.submit('replace facts', 'node-6', {
      payload: factset('node-6', { n: 6 }, { producer_timestamp: day(25) }),
    });
    await bench.submit('delete node', 'node-8', { version: 1, payload: { certname: 'node-8' } });
    await bench.settle(await maintenance.live());
    await snapshot(maintenance.context(), { historyMs: 0 });
    await bench.submit('deactivate node', 'node-9', { payload: { certname: 'node-9', producer_timestamp: day(26) } });
    await bench.settle(await maintenance.live());
    expect(await verify(maintenance.context())).toMatchObject({ counted: 0 });
  });

  it('leaves the tail whole as far back as the history goes', async () => {
    await maintenance.feed();
    await bench.settle();
    expect(await snapshot(maintenance.context(), { historyMs: 3_600_000 })).toMatchObject({ nothingToDo: true });
    expect(await count()).toBe(await maintenance.sizeOf());
  });

  it('takes what is older than the history, and nothing else', async () => {
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now - 2 * 86_400_000);
    try {
      await maintenance.feed();
    } finally {
      clock.mockRestore();
    }
    const old = await bench.log.ends();
    await bench.submit('replace facts', 'node-0', { payload: factset('node-0', { n: 'new' }) });
    await bench.settle();
    expect(await snapshot(maintenance.context(), { historyMs: 3 * 86_400_000 })).toMatchObject({ nothingToDo: true });
    expect(await snapshot(maintenance.context(), { historyMs: 86_400_000 })).toMatchObject({
      nothingToDo: false,
      tails: old,
    });
    expect((await bench.log.extent()).tails).toEqual(old);
  });

  it('removes nothing where its lock was lost meanwhile', async () => {
    await maintenance.feed();
    await bench.settle();
    const before = (await bench.log.extent()).tails;
    let cut: Promise<unknown> | undefined;
    const onProgress = ({ step }: ReplayProgress): void => {
      if (step !== 'replay the base') return;
      cut ??= bench.rows(
        `SELECT pg_terminate_backend(pid) FROM pg_locks
         WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
    };
    await expect(snapshot(maintenance.context({ onProgress }), { historyMs: 0 })).rejects.toThrow();
    expect(await cut).toHaveLength(1);
    expect((await bench.log.extent()).tails).toEqual(before);
    expect(await count()).toBe(await maintenance.sizeOf());
  });

  it('does not pass what the live tables have applied, nor a rebuild that is left half done', async () => {
    await maintenance.feed();
    expect(await snapshot(maintenance.context(), { historyMs: 0 })).toMatchObject({ nothingToDo: true });
    await bench.settle();
    const stopping = new AbortController();
    await expect(
      rebuild(maintenance.context({ signal: stopping.signal, onProgress: () => stopping.abort() })),
    ).rejects.toMatchObject({ kind: 'busy' });
    await expect(snapshot(maintenance.context(), { historyMs: 0 })).rejects.toMatchObject({
      code: 'replay.half-built',
    });
    expect(await dropOthers(bench.db)).toBe(1);
    expect(await snapshot(maintenance.context(), { historyMs: 0 })).toMatchObject({ nothingToDo: false });
  });

  it('can be rebuilt from where it has passed the live tables', async () => {
    await maintenance.feed();
    await bench.settle();
    const before = await bench.dump();
    await snapshot(maintenance.context(), { historyMs: 0 });
    await bench.rows('UPDATE nodeledger.positions SET next_offset = 3 WHERE log_partition = 1');
    const outcome = await rebuild(maintenance.context());
    expect(outcome).toMatchObject({ switched: true });
    expect(outcome.comparison).toBeUndefined();
    expect(await bench.dump(await maintenance.live())).toEqual(before);
  });

  it('does not lose what the settings of today would reject', async () => {
    await maintenance.feed();
    await bench.settle();
    const strict = maintenance.context({ maxCommandBytes: 700 });
    await expect(snapshot(strict, { historyMs: 0 })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'replay.newly-rejected',
    });
    expect(await count()).toBe(await maintenance.sizeOf());
    expect(await maintenance.states()).toEqual(['gen_1 live']);
    // Records that became dead letters are kept there.
    await rebuild(strict, { acceptDifferences: true });
    expect(await snapshot(strict, { historyMs: 0 })).toMatchObject({ nothingToDo: false });
    const { total } = await new DeadLetterStore(bench.db).list({}, { limit: 1, offset: 0 });
    expect(total).toBeGreaterThan(10);
  });

  it('leaves the log as it is where the base would not do', async () => {
    await maintenance.feed();
    await bench.settle();
    const broken = maintenance.context({
      log: new Proxy(bench.log, {
        get: (log, name) => {
          if (name === 'prepareBase') {
            return (tails: ReadonlyMap<number, number>, records: AsyncIterable<never>) =>
              log.prepareBase(
                tails,
                (async function* () {
                  let place = 0;
                  for await (const record of records) if (place++ !== 4) yield record;
                })(),
              );
          }
          const value: unknown = Reflect.get(log, name);
          return typeof value === 'function' ? (value.bind(log) as unknown) : value;
        },
      }),
    });
    await expect(snapshot(broken, { historyMs: 0 })).rejects.toMatchObject({
      kind: 'broken',
      code: 'replay.base-differs',
    });
    expect(await count()).toBe(await maintenance.sizeOf());
    expect(await maintenance.states()).toEqual(['gen_1 live']);
  });
});

describe('copyLog', () => {
  it('moves records, tables and dead letters to a log of other partitions', async () => {
    await maintenance.feed();
    const lost = await bench.submit('replace facts', 'node-9', { payload: '{lost' });
    await bench.settle();
    await snapshot(maintenance.context(), { historyMs: 0 });
    const kept = await bench.submit('replace facts', 'node-9', { payload: '{kept' });
    await bench.submit('replace facts', 'node-3', {
      payload: factset('node-3', { last: 1 }, { producer_timestamp: day(27) }),
    });
    const letterStore = new DeadLetterStore(bench.db);
    const target = new MemoryCommandLog({ partitions: 5 });
    const identity = await target.open();
    const outcome = await copyLog(maintenance.context(), target, identity);
    expect(outcome.records).toBe(await maintenance.sizeOf(target));
    const moved = await maintenance.live();
    const positions = await positionsOf(bench.db, moved.generation);
    expect(positions.size).toBe(5);
    expect([...positions.values()].every(({ logId }) => logId === identity.logId)).toBe(true);
    const { letters } = await letterStore.list({}, { limit: 10, offset: 0 });
    expect(letters.map(({ certname, attempts }) => `${certname} ${attempts}`)).toEqual(['node-9 1', 'node-9 1']);
    expect(letters.map(({ name }) => name)).not.toEqual([letterName(lost), letterName(kept)]);

    // The copy is verified and continues: a retry finds its dead letter.
    const there = maintenance.context({ log: target, logId: identity.logId });
    expect(await verify(there)).toMatchObject({ counted: 0 });
    const [letter] = letters;
    await target.append({
      ...(await letterStore.command(letter!))!,
      payload: Buffer.from(JSON.stringify(factset('node-9', { mended: 1 }, { producer_timestamp: day(28) }))),
      headers: { [retryHeader]: letter!.name },
    });
    expect(await rebuild(there, { acceptDifferences: true })).toMatchObject({ switched: true });
    expect(await copyLog(there, target, identity).catch((error: unknown) => error)).toMatchObject({
      code: 'copy.not-empty',
    });
  });
});
