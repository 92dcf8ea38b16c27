import { setTimeout as delay } from 'node:timers/promises';
import { Generations, positionsOf, type Generation } from '#database';
import { defaultLimits } from '#limits';
import { MemoryCommandLog, offsetAfter, type CommandLog } from '#log';
import { catalog, event, factset, report, resource } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { DeadLetterStore } from '../dead-letters/dead-letter-store';
import { letterName, retryHeader } from '../dead-letters/letter-name';
import { copyLog } from './copy-log';
import { dropOthers, rebuild, rollback } from './rebuild';
import type { ReplayContext, ReplayProgress } from './replay-context';
import { snapshot } from './snapshot';
import { verify } from './verify';

let bench: ProjectionBench;
let generations: Generations;
const progress: ReplayProgress[] = [];

beforeEach(async () => {
  bench = await ProjectionBench.open(3);
  generations = new Generations(bench.db);
  progress.length = 0;
});
afterEach(() => bench.close());

const context = (over: Partial<ReplayContext> = {}): ReplayContext => ({
  db: bench.db,
  log: bench.log,
  logId: bench.logId,
  maxCommandBytes: 20_000_000,
  limits: defaultLimits,
  signal: new AbortController().signal,
  onProgress: (one) => void progress.push(one),
  ...over,
});
const live = async (): Promise<Generation> => (await generations.live()) as Generation;
const states = async (): Promise<string[]> =>
  (await generations.list()).map(({ schema, state }) => `${schema} ${state}`);
const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString();

/** Records that were ever appended. */
const sizeOf = async (log: CommandLog = bench.log): Promise<number> =>
  [...(await log.ends()).values()].reduce((sum, end) => sum + end - 1, 0);

/** Ten nodes with all kinds of documents, stale ones, a dead letter with its retry, and nodes that went. */
async function feed(): Promise<void> {
  for (let n = 0; n < 10; n++) {
    const certname = `node-${n}`;
    const shared = [resource('/etc/motd'), resource('/etc/hosts', { parameters: { mode: `064${n % 3}`, size: 1.0 } })];
    await bench.submit('replace facts', certname, {
      payload: factset(certname, { n, os: { name: 'Debian' }, load: [0.5, n] }, { producer_timestamp: day(3) }),
    });
    await bench.submit('replace facts', certname, {
      payload: factset(certname, { n: 'stale' }, { producer_timestamp: day(2) }),
    });
    await bench.submit('replace catalog', certname, { payload: catalog(certname, shared, []) });
    for (let run = 1; run <= 3; run++) {
      await bench.submit('store report', certname, {
        payload: report(certname, [event('ensure')], {
          producer_timestamp: day(run),
          configuration_version: `v${run}`,
        }),
      });
    }
  }
  await bench.submit('deactivate node', 'node-1', {
    payload: { certname: 'node-1', producer_timestamp: day(9) },
  });
  await bench.submit('expire node', 'node-2', {
    version: 1,
    payload: { certname: 'node-2', expired: day(20), cutoff: day(19) },
  });
  await bench.submit('purge reports', 'node-3', { version: 1, payload: { certname: 'node-3', cutoff: day(3) } });
  await bench.submit('delete node', 'node-4', { version: 1, payload: { certname: 'node-4' } });
  const rejected = await bench.submit('replace facts', 'node-5', { payload: '{broken' });
  await bench.log.append({
    uuid: '11111111-2222-4333-8444-555555555555',
    command: 'replace facts',
    version: 5,
    certname: 'node-5',
    receivedAt: Date.UTC(2026, 5, 1),
    encoding: 'identity',
    payload: Buffer.from(JSON.stringify(factset('node-5', { mended: true }, { producer_timestamp: day(12) }))),
    headers: { [retryHeader]: letterName(rejected) },
  });
}

describe('rebuild', () => {
  it('makes equal tables beside the live ones and makes them live; what was live can come back', async () => {
    await feed();
    await bench.settle();
    const before = await bench.dump();
    const outcome = await rebuild(context());
    const size = await sizeOf();
    expect(outcome).toMatchObject({ generation: 2, schema: 'gen_2', switched: true, records: size });
    expect(outcome.comparison).toMatchObject({ counted: 0, differences: [] });
    expect(outcome.comparison!.rows).toBeGreaterThan(100);
    expect(await states()).toEqual(['gen_1 retired', 'gen_2 live']);
    expect(await bench.dump(await live())).toEqual(before);
    expect(progress.some(({ step, done, total }) => step === 'replay' && done === size && total === size)).toBe(true);

    // What comes afterwards goes to the new one; going back brings the old one there first.
    await bench.submit('replace facts', 'node-0', {
      payload: factset('node-0', { new: 1 }, { producer_timestamp: day(30) }),
    });
    await expect(bench.settle(bench.generation)).rejects.toMatchObject({ code: 'database.retired' });
    await bench.settle(await live());
    const after = await bench.dump(await live());
    expect(await rollback(context())).toEqual({ generation: 1, schema: 'gen_1' });
    expect(await bench.dump(await live())).toEqual(after);
    expect(await dropOthers(bench.db)).toBe(1);
    expect(await states()).toEqual(['gen_1 live']);
    await expect(rollback(context())).rejects.toMatchObject({ kind: 'missing', code: 'replay.no-previous' });
  });

  it('keeps one generation to go back to', async () => {
    await feed();
    await bench.settle();
    await rebuild(context());
    await rebuild(context());
    expect(await states()).toEqual(['gen_2 retired', 'gen_3 live']);
  });

  it('goes on while commands come in and are applied', async () => {
    await feed();
    const stop = new AbortController();
    const projecting = bench.projector().run(stop.signal);
    let sent = 0;
    const sending = (async () => {
      while (!stop.signal.aborted) {
        const certname = `node-${sent % 10}`;
        await bench.submit('replace facts', certname, {
          payload: factset(
            certname,
            { sent: sent++ },
            { producer_timestamp: new Date(Date.UTC(2026, 2, 1) + sent).toISOString() },
          ),
        });
        await delay(1);
      }
    })();
    const outcome = await rebuild(context());
    expect(outcome).toMatchObject({ switched: true, comparison: { counted: 0 } });
    const dying = expect(projecting).rejects.toMatchObject({ code: 'database.retired' });
    await dying;
    stop.abort();
    await sending;
    expect(sent).toBeGreaterThan(5);
    await bench.settle(await live());
    expect(await verify(context())).toMatchObject({ counted: 0 });
  });

  it('has at the switch all that the live tables have, however late that was applied', async () => {
    await feed();
    await bench.settle();
    let late = 0;
    /** As long as nobody holds the live positions, each look at the log is followed by one more record in the live tables. */
    const busy = Object.create(bench.log, {
      ends: {
        value: async () => {
          const ends = await bench.log.ends();
          const free = await bench.rows(
            `SELECT FROM nodeledger.positions WHERE generation = $1 FOR UPDATE SKIP LOCKED`,
            [bench.generation.generation],
          );
          if (free.length > 0) {
            late += 1;
            const time = new Date(Date.UTC(2026, 2, 1) + late * 1000).toISOString();
            await bench.submit('replace facts', 'node-0', {
              payload: factset('node-0', { late }, { producer_timestamp: time }),
            });
            await bench.settle();
          }
          return ends;
        },
      },
    }) as CommandLog;
    await rebuild(context({ log: busy }));
    const switched = await live();
    expect(switched.generation).toBe(2);
    expect(late).toBeGreaterThan(0);
    expect(await positionsOf(bench.db, switched.generation)).toEqual(
      await positionsOf(bench.db, bench.generation.generation),
    );
    expect(await bench.dump(switched)).toEqual(await bench.dump());
  });

  it('refuses to switch to tables that differ, tells how they do, and does it when told to', async () => {
    await feed();
    await bench.settle();
    await bench.rows(
      `UPDATE {schema}.facts SET value = '"wrong"' WHERE node = (SELECT node FROM {schema}.nodes WHERE certname = 'node-7') AND name = 'n'`,
    );
    await expect(rebuild(context())).rejects.toMatchObject({
      code: 'replay.differences',
      details: { counted: 1, differences: [{ table: 'facts', certname: 'node-7' }] },
    });
    expect(await states()).toEqual(['gen_1 live', 'gen_2 building']);
    await expect(rebuild(context())).rejects.toMatchObject({ code: 'replay.half-built' });
    expect(await rebuild(context({}), { resume: true, acceptDifferences: true })).toMatchObject({ switched: true });
    expect(await verify(context())).toMatchObject({ counted: 0 });
  });

  it('can be stopped and resumed, or started again from the beginning', async () => {
    await feed();
    await bench.settle();
    const stopping = new AbortController();
    const stopped = rebuild(context({ signal: stopping.signal, onProgress: () => stopping.abort() }));
    await expect(stopped).rejects.toMatchObject({ kind: 'busy', code: 'maintenance.stopped' });
    expect(await states()).toEqual(['gen_1 live', 'gen_2 building']);
    expect(await rebuild(context(), { resume: true })).toMatchObject({
      generation: 2,
      switched: true,
      comparison: { counted: 0 },
    });
    await expect(rebuild(context(), { resume: true })).rejects.toMatchObject({ code: 'replay.nothing-to-resume' });

    const again = new AbortController();
    await expect(rebuild(context({ signal: again.signal, onProgress: () => again.abort() }))).rejects.toMatchObject({
      kind: 'busy',
    });
    expect(await rebuild(context(), { restart: true })).toMatchObject({ generation: 4, switched: true });
  });

  it('leaves nothing behind by a dry run, and tables of an earlier position when asked for them', async () => {
    await feed();
    await bench.settle();
    expect(await rebuild(context(), { dryRun: true })).toMatchObject({ switched: false, comparison: { counted: 0 } });
    expect(await states()).toEqual(['gen_1 live']);
    const first = (await bench.log.extent()).starts;
    const outcome = await rebuild(context(), { toPosition: first });
    expect(outcome).toMatchObject({ switched: false, records: 0 });
    expect(await bench.db.query({ text: `SELECT FROM ${outcome.schema}.nodes`, values: [] })).toEqual([]);
    expect(await states()).toEqual(['gen_1 live', `${outcome.schema} point`]);
    await expect(rebuild(context(), { toPosition: new Map([[0, 9999]]) })).rejects.toMatchObject({ kind: 'malformed' });
    await expect(rebuild(context(), { toPosition: new Map([[7, 1]]) })).rejects.toMatchObject({ kind: 'malformed' });
  });

  it('is refused beside another maintenance, and from another log', async () => {
    await feed();
    await bench.settle();
    let inner: unknown;
    await rebuild(context({ onProgress: () => (inner ??= rebuild(context()).catch((error: unknown) => error)) }));
    expect(await inner).toMatchObject({ kind: 'conflict', code: 'maintenance.busy' });
    const other = new MemoryCommandLog({ partitions: 3 });
    const { logId } = await other.open();
    await expect(rebuild(context({ log: other, logId }))).rejects.toMatchObject({ code: 'replay.foreign-log' });
    const shorter = new MemoryCommandLog({ partitions: 3, logId: bench.logId });
    await expect(rebuild(context({ log: shorter }))).rejects.toMatchObject({ code: 'replay.shorter-log' });
    expect(await rebuild(context({ log: shorter }), { acceptDifferences: true })).toMatchObject({ switched: true });
    expect(await bench.db.query({ text: `SELECT FROM ${(await live()).schema}.nodes`, values: [] })).toEqual([]);
  });
});

describe('a wrong clock', () => {
  it('changes nothing of what a replay gives', async () => {
    await feed();
    await bench.settle();
    for (const time of [0, Date.UTC(2099, 0, 1)]) {
      const clock = jest.spyOn(Date, 'now').mockReturnValue(time);
      try {
        expect(await verify(context())).toMatchObject({ counted: 0 });
      } finally {
        clock.mockRestore();
      }
    }
  });
});

describe('verify', () => {
  it('names each row that differs, and changes nothing', async () => {
    await feed();
    await bench.settle();
    const letters = await new DeadLetterStore(bench.db).list({}, { limit: 9, offset: 0 });
    expect(await verify(context())).toMatchObject({ counted: 0, records: await sizeOf() });
    await bench.rows(
      `DELETE FROM {schema}.reports WHERE report = (SELECT min(report::text)::uuid FROM {schema}.reports)`,
    );
    await bench.rows(`UPDATE {schema}.fact_contents SET value = '1.00' WHERE value = '0.5'`);
    await bench.rows(`INSERT INTO {schema}.environments VALUES (42, 'of nobody')`);
    const verdict = await verify(context(), { mostNamed: 5 });
    // The report; a leaf of each node but the deleted one and the one whose facts were mended.
    expect(verdict.counted).toBe(9);
    expect(verdict.differences).toHaveLength(5);
    expect(verdict.differences[0]).toMatchObject({ table: 'fact_contents', certname: 'node-0' });
    expect(JSON.parse(verdict.differences[0]!.live!)).toMatchObject({ value: 1 });
    expect(JSON.parse(verdict.differences[0]!.replayed!)).toMatchObject({ value: 0.5 });
    expect(await states()).toEqual(['gen_1 live']);
    expect(await new DeadLetterStore(bench.db).list({}, { limit: 9, offset: 0 })).toEqual(letters);
  });
});

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
    await feed();
    await bench.settle();
    const before = await bench.dump();
    const outcome = await snapshot(context(), { historyMs: 0 });
    expect(outcome).toMatchObject({ nothingToDo: false });
    expect(outcome.kept + outcome.removed).toBe(await sizeOf());
    expect(await count()).toBe(outcome.kept);
    expect(outcome.kept).toBeLessThan((await sizeOf()) - 15);
    expect(await snapshot(context(), { historyMs: 0 })).toMatchObject({ nothingToDo: true });
    expect(await rebuild(context())).toMatchObject({ switched: true, comparison: { counted: 0 } });
    expect(await bench.dump(await live())).toEqual(before);

    // A base upon a base, with a tail behind.
    await bench.submit('replace facts', 'node-6', {
      payload: factset('node-6', { n: 6 }, { producer_timestamp: day(25) }),
    });
    await bench.submit('delete node', 'node-8', { version: 1, payload: { certname: 'node-8' } });
    await bench.settle(await live());
    await snapshot(context(), { historyMs: 0 });
    await bench.submit('deactivate node', 'node-9', { payload: { certname: 'node-9', producer_timestamp: day(26) } });
    await bench.settle(await live());
    expect(await verify(context())).toMatchObject({ counted: 0 });
  });

  it('leaves the tail whole as far back as the history goes', async () => {
    await feed();
    await bench.settle();
    expect(await snapshot(context(), { historyMs: 3_600_000 })).toMatchObject({ nothingToDo: true });
    expect(await count()).toBe(await sizeOf());
  });

  it('takes what is older than the history, and nothing else', async () => {
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now - 2 * 86_400_000);
    try {
      await feed();
    } finally {
      clock.mockRestore();
    }
    const old = await bench.log.ends();
    await bench.submit('replace facts', 'node-0', { payload: factset('node-0', { n: 'new' }) });
    await bench.settle();
    expect(await snapshot(context(), { historyMs: 3 * 86_400_000 })).toMatchObject({ nothingToDo: true });
    expect(await snapshot(context(), { historyMs: 86_400_000 })).toMatchObject({ nothingToDo: false, tails: old });
    expect((await bench.log.extent()).tails).toEqual(old);
  });

  it('removes nothing where its lock was lost meanwhile', async () => {
    await feed();
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
    await expect(snapshot(context({ onProgress }), { historyMs: 0 })).rejects.toThrow();
    expect(await cut).toHaveLength(1);
    expect((await bench.log.extent()).tails).toEqual(before);
    expect(await count()).toBe(await sizeOf());
  });

  it('does not pass what the live tables have applied, nor a rebuild that is left half done', async () => {
    await feed();
    expect(await snapshot(context(), { historyMs: 0 })).toMatchObject({ nothingToDo: true });
    await bench.settle();
    const stopping = new AbortController();
    await expect(
      rebuild(context({ signal: stopping.signal, onProgress: () => stopping.abort() })),
    ).rejects.toMatchObject({ kind: 'busy' });
    await expect(snapshot(context(), { historyMs: 0 })).rejects.toMatchObject({ code: 'replay.half-built' });
    expect(await dropOthers(bench.db)).toBe(1);
    expect(await snapshot(context(), { historyMs: 0 })).toMatchObject({ nothingToDo: false });
  });

  it('can be rebuilt from where it has passed the live tables', async () => {
    await feed();
    await bench.settle();
    const before = await bench.dump();
    await snapshot(context(), { historyMs: 0 });
    await bench.rows('UPDATE nodeledger.positions SET next_offset = 3 WHERE log_partition = 1');
    const outcome = await rebuild(context());
    expect(outcome).toMatchObject({ switched: true });
    expect(outcome.comparison).toBeUndefined();
    expect(await bench.dump(await live())).toEqual(before);
  });

  it('does not lose what the settings of today would reject', async () => {
    await feed();
    await bench.settle();
    const strict = context({ maxCommandBytes: 700 });
    await expect(snapshot(strict, { historyMs: 0 })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'replay.newly-rejected',
    });
    expect(await count()).toBe(await sizeOf());
    expect(await states()).toEqual(['gen_1 live']);
    // Once they are dead letters, they are safe there.
    await rebuild(strict, { acceptDifferences: true });
    expect(await snapshot(strict, { historyMs: 0 })).toMatchObject({ nothingToDo: false });
    const { total } = await new DeadLetterStore(bench.db).list({}, { limit: 1, offset: 0 });
    expect(total).toBeGreaterThan(10);
  });

  it('leaves the log as it is where the base would not do', async () => {
    await feed();
    await bench.settle();
    const broken = context({
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
    expect(await count()).toBe(await sizeOf());
    expect(await states()).toEqual(['gen_1 live']);
  });
});

describe('copyLog', () => {
  it('moves records, tables and dead letters to a log of other partitions', async () => {
    await feed();
    const lost = await bench.submit('replace facts', 'node-9', { payload: '{lost' });
    await bench.settle();
    await snapshot(context(), { historyMs: 0 });
    const kept = await bench.submit('replace facts', 'node-9', { payload: '{kept' });
    await bench.submit('replace facts', 'node-3', {
      payload: factset('node-3', { last: 1 }, { producer_timestamp: day(27) }),
    });
    const office = new DeadLetterStore(bench.db);
    const target = new MemoryCommandLog({ partitions: 5 });
    const identity = await target.open();
    const outcome = await copyLog(context(), target, identity);
    expect(outcome.records).toBe(await sizeOf(target));
    const moved = await live();
    const positions = await positionsOf(bench.db, moved.generation);
    expect(positions.size).toBe(5);
    expect([...positions.values()].every(({ logId }) => logId === identity.logId)).toBe(true);
    const { letters } = await office.list({}, { limit: 10, offset: 0 });
    expect(letters.map(({ certname, attempts }) => `${certname} ${attempts}`)).toEqual(['node-9 1', 'node-9 1']);
    expect(letters.map(({ name }) => name)).not.toEqual([letterName(lost), letterName(kept)]);

    // It goes on there: verified, and a letter's retry finds its letter.
    const there = context({ log: target, logId: identity.logId });
    expect(await verify(there)).toMatchObject({ counted: 0 });
    const [letter] = letters;
    await target.append({
      ...(await office.command(letter!))!,
      payload: Buffer.from(JSON.stringify(factset('node-9', { mended: 1 }, { producer_timestamp: day(28) }))),
      headers: { [retryHeader]: letter!.name },
    });
    expect(await rebuild(there, { acceptDifferences: true })).toMatchObject({ switched: true });
    expect(await copyLog(there, target, identity).catch((error: unknown) => error)).toMatchObject({
      code: 'copy.not-empty',
    });
  });
});
