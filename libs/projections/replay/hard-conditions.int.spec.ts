/** Tests maintenance while the database, the log or the settings are in an unfavorable state. */
import { setTimeout as delay } from 'node:timers/promises';
import { Database, Generations, withMaintenanceLock } from '#database';
import { defaultLimits } from '#limits';
import { MemoryCommandLog } from '../../log/testing/memory-command-log';
import { factset } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { atOnePosition } from './at-one-position';
import { rebuild, rollback } from './rebuild';
import type { ReplayContext } from './replay-context';
import { snapshot } from './snapshot';
import { verify } from './verify';

let bench: ProjectionBench;
let generations: Generations;

beforeEach(async () => {
  bench = await ProjectionBench.open(2);
  generations = new Generations(bench.db);
});
afterEach(() => bench.close());

const context = (over: Partial<ReplayContext> = {}): ReplayContext => ({
  db: bench.db,
  log: bench.log,
  logId: bench.logId,
  maxCommandBytes: 20_000_000,
  limits: defaultLimits,
  signal: new AbortController().signal,
  ...over,
});
const states = async (): Promise<string[]> =>
  (await generations.list()).map(({ schema, state }) => `${schema} ${state}`);
const facts = async (certname: string, day: number, value: unknown): Promise<void> => {
  const producer_timestamp = new Date(Date.UTC(2026, 0, day)).toISOString();
  await bench.submit('replace facts', certname, { payload: factset(certname, { value }, { producer_timestamp }) });
};

it('is not ended by time limits that a database sets for all', async () => {
  const name = new URL(bench.connectionString).pathname.slice(1);
  for (const limit of ['idle_in_transaction_session_timeout', 'statement_timeout']) {
    await bench.db.query({ text: `ALTER DATABASE ${name} SET ${limit} = '500ms'`, values: [] });
  }
  const db = new Database({ connectionString: bench.connectionString, max: 6 });
  const sleep = { text: 'SELECT pg_sleep(0.8)', values: [] };
  try {
    await expect(db.query(sleep)).rejects.toMatchObject({ code: 'database.timeout' });
    const done = withMaintenanceLock(db, async (requireLock) => {
      const looked = atOnePosition(context({ db }), bench.generation, async (session) => {
        await delay(800);
        await session.query(sleep);
        return 'looked';
      });
      expect(await looked).toBe('looked');
      await requireLock();
      return 'locked';
    });
    expect(await done).toBe('locked');
  } finally {
    await db.close();
  }
});

it('does not wait for records that the log has lost', async () => {
  await facts('node', 1, 1);
  await bench.settle();
  await rebuild(context());
  const shorter = new MemoryCommandLog({ partitions: 2, logId: bench.logId });
  await expect(verify(context({ log: shorter }))).rejects.toMatchObject({ code: 'replay.shorter-log' });
  await expect(rollback(context({ log: shorter }))).rejects.toMatchObject({ code: 'replay.shorter-log' });
  expect(await states()).toEqual(['gen_1 retired', 'gen_2 live']);
});

it('leaves no tables behind where what nobody goes on with is stopped', async () => {
  await facts('node', 1, 1);
  await bench.settle();
  for (const options of [{ dryRun: true }, { toPosition: await bench.log.ends() }]) {
    const stopping = new AbortController();
    const stopped = rebuild(context({ signal: stopping.signal, onProgress: () => stopping.abort() }), options);
    await expect(stopped).rejects.toMatchObject({ code: 'maintenance.stopped' });
    expect(await states()).toEqual(['gen_1 live']);
  }
});

it('can be stopped while it compares', async () => {
  await facts('node', 1, 1);
  await bench.settle();
  const stopping = new AbortController();
  const { signal } = stopping;
  const compared: number[] = [];
  const onProgress: ReplayContext['onProgress'] = ({ unit, done }) => {
    if (unit !== 'tables') return;
    compared.push(done);
    stopping.abort();
  };
  await expect(verify(context({ signal, onProgress }))).rejects.toMatchObject({ code: 'maintenance.stopped' });
  expect(compared).toEqual([0]);
  expect(await states()).toEqual(['gen_1 live']);
});

it('does not remove what is shown for what was rejected then and would count today', async () => {
  await facts('node', 1, 'small');
  await facts('node', 2, 'x'.repeat(5_000));
  const { log } = bench;
  const early = bench.projector({ maxCommandBytes: 3_000, until: await log.ends() });
  await early.run(new AbortController().signal);
  const { tails } = await log.extent();
  const removing = snapshot(context(), { historyMs: 0 });
  await expect(removing).rejects.toMatchObject({ kind: 'conflict', code: 'replay.live-differs' });
  expect((await log.extent()).tails).toEqual(tails);
  expect(await states()).toEqual(['gen_1 live']);
  // With the settings of that time, the log gives the rows that are shown.
  expect(await snapshot(context({ maxCommandBytes: 3_000 }), { historyMs: 0 })).toMatchObject({ kept: 1, removed: 1 });
  expect(await verify(context())).toMatchObject({ counted: 0 });
});

it('finds no difference after a snapshot if a record behind it was received earlier, by another clock', async () => {
  const received = (second: number): Promise<unknown> =>
    bench.submit('replace facts', 'node', {
      receivedAt: Date.UTC(2026, 0, 1, 0, 0, second),
      payload: factset('node', { second }, { producer_timestamp: new Date(Date.UTC(2026, 0, second)).toISOString() }),
    });
  await received(9);
  await bench.settle();
  await snapshot(context(), { historyMs: 0 });
  for (const second of [7, 8, 10]) await received(second);
  await bench.settle();
  expect(await verify(context())).toMatchObject({ counted: 0 });
});

it('takes no generation back that has become another thing meanwhile', async () => {
  await generations.setState(bench.generation, 'retired', undefined, 'building');
  expect(await states()).toEqual(['gen_1 live']);
});

it('goes back from tables of a newer form', async () => {
  await facts('node', 1, 1);
  await bench.settle();
  await rebuild(context());
  await bench.db.query({
    text: `UPDATE nodeledger.generations SET projection_version = projection_version + 1 WHERE state = 'live'`,
    values: [],
  });
  expect(await rollback(context())).toMatchObject({ schema: 'gen_1' });
  expect(await states()).toEqual(['gen_1 live', 'gen_2 retired']);
});
