import { setTimeout as delay } from 'node:timers/promises';
import { positionsOf } from '#database';
import type { CommandLog } from '#log';
import { MemoryCommandLog } from '../../log/testing/memory-command-log';
import { factset } from '../../../test/support/documents';
import { day, MaintenanceBench } from '../../../test/support/maintenance';
import { ProjectionBench } from '../../../test/support/projection';
import { DeadLetterStore } from '../dead-letters/dead-letter-store';
import { dropOthers, rebuild, rollback } from './rebuild';
import { verify } from './verify';

let bench: ProjectionBench;
let maintenance: MaintenanceBench;

beforeEach(async () => {
  bench = await ProjectionBench.open(3);
  maintenance = new MaintenanceBench(bench);
});
afterEach(() => bench.close());

describe('rebuild', () => {
  it('makes equal tables beside the live ones and makes them live; what was live can come back', async () => {
    await maintenance.feed();
    await bench.settle();
    const before = await bench.dump();
    const outcome = await rebuild(maintenance.context());
    const size = await maintenance.sizeOf();
    expect(outcome).toMatchObject({ generation: 2, schema: 'gen_2', switched: true, records: size });
    expect(outcome.comparison).toMatchObject({ counted: 0, differences: [] });
    expect(outcome.comparison!.rows).toBeGreaterThan(100);
    expect(await maintenance.states()).toEqual(['gen_1 retired', 'gen_2 live']);
    expect(await bench.dump(await maintenance.live())).toEqual(before);
    expect(
      maintenance.progress.some(({ step, done, total }) => step === 'replay' && done === size && total === size),
    ).toBe(true);

    // Later commands go to the new generation. A rollback first applies them to the old one.
    await bench.submit('replace facts', 'node-0', {
      payload: factset('node-0', { new: 1 }, { producer_timestamp: day(30) }),
    });
    await expect(bench.settle(bench.generation)).rejects.toMatchObject({ code: 'database.retired' });
    await bench.settle(await maintenance.live());
    const after = await bench.dump(await maintenance.live());
    expect(await rollback(maintenance.context())).toEqual({ generation: 1, schema: 'gen_1' });
    expect(await bench.dump(await maintenance.live())).toEqual(after);
    expect(await dropOthers(bench.db)).toBe(1);
    expect(await maintenance.states()).toEqual(['gen_1 live']);
    await expect(rollback(maintenance.context())).rejects.toMatchObject({
      kind: 'missing',
      code: 'replay.no-previous',
    });
  });

  it('keeps one generation to go back to', async () => {
    await maintenance.feed();
    await bench.settle();
    await rebuild(maintenance.context());
    await rebuild(maintenance.context());
    expect(await maintenance.states()).toEqual(['gen_2 retired', 'gen_3 live']);
  });

  it('goes on while commands come in and are applied', async () => {
    await maintenance.feed();
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
    const outcome = await rebuild(maintenance.context());
    expect(outcome).toMatchObject({ switched: true, comparison: { counted: 0 } });
    const dying = expect(projecting).rejects.toMatchObject({ code: 'database.retired' });
    await dying;
    stop.abort();
    await sending;
    expect(sent).toBeGreaterThan(5);
    await bench.settle(await maintenance.live());
    expect(await verify(maintenance.context())).toMatchObject({ counted: 0 });
  });

  it('has at the switch all that the live tables have, however late that was applied', async () => {
    await maintenance.feed();
    await bench.settle();
    let late = 0;
    /**
     * As long as nobody holds the live positions, one more record is applied to the live tables after each read of the
     * log.
     */
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
    await rebuild(maintenance.context({ log: busy }));
    const switched = await maintenance.live();
    expect(switched.generation).toBe(2);
    expect(late).toBeGreaterThan(0);
    expect(await positionsOf(bench.db, switched.generation)).toEqual(
      await positionsOf(bench.db, bench.generation.generation),
    );
    expect(await bench.dump(switched)).toEqual(await bench.dump());
  });

  it('refuses to switch to tables that differ, tells how they do, and does it when told to', async () => {
    await maintenance.feed();
    await bench.settle();
    await bench.rows(
      `UPDATE {schema}.facts SET value = '"wrong"' WHERE node = (SELECT node FROM {schema}.nodes WHERE certname = 'node-7') AND name = 'n'`,
    );
    await expect(rebuild(maintenance.context())).rejects.toMatchObject({
      code: 'replay.differences',
      details: { counted: 1, differences: [{ table: 'facts', certname: 'node-7' }] },
    });
    expect(await maintenance.states()).toEqual(['gen_1 live', 'gen_2 building']);
    await expect(rebuild(maintenance.context())).rejects.toMatchObject({ code: 'replay.half-built' });
    expect(await rebuild(maintenance.context({}), { resume: true, acceptDifferences: true })).toMatchObject({
      switched: true,
    });
    expect(await verify(maintenance.context())).toMatchObject({ counted: 0 });
  });

  it('can be stopped and resumed, or started again from the beginning', async () => {
    await maintenance.feed();
    await bench.settle();
    const stopping = new AbortController();
    const stopped = rebuild(maintenance.context({ signal: stopping.signal, onProgress: () => stopping.abort() }));
    await expect(stopped).rejects.toMatchObject({ kind: 'busy', code: 'maintenance.stopped' });
    expect(await maintenance.states()).toEqual(['gen_1 live', 'gen_2 building']);
    expect(await rebuild(maintenance.context(), { resume: true })).toMatchObject({
      generation: 2,
      switched: true,
      comparison: { counted: 0 },
    });
    await expect(rebuild(maintenance.context(), { resume: true })).rejects.toMatchObject({
      code: 'replay.nothing-to-resume',
    });

    const again = new AbortController();
    await expect(
      rebuild(maintenance.context({ signal: again.signal, onProgress: () => again.abort() })),
    ).rejects.toMatchObject({
      kind: 'busy',
    });
    expect(await rebuild(maintenance.context(), { restart: true })).toMatchObject({ generation: 4, switched: true });
  });

  it('leaves nothing behind by a dry run, and tables of an earlier position when asked for them', async () => {
    await maintenance.feed();
    await bench.settle();
    expect(await rebuild(maintenance.context(), { dryRun: true })).toMatchObject({
      switched: false,
      comparison: { counted: 0 },
    });
    expect(await maintenance.states()).toEqual(['gen_1 live']);
    const first = (await bench.log.extent()).starts;
    const outcome = await rebuild(maintenance.context(), { toPosition: first });
    expect(outcome).toMatchObject({ switched: false, records: 0 });
    expect(await bench.db.query({ text: `SELECT FROM ${outcome.schema}.nodes`, values: [] })).toEqual([]);
    expect(await maintenance.states()).toEqual(['gen_1 live', `${outcome.schema} point`]);
    await expect(rebuild(maintenance.context(), { toPosition: new Map([[0, 9999]]) })).rejects.toMatchObject({
      kind: 'malformed',
    });
    await expect(rebuild(maintenance.context(), { toPosition: new Map([[7, 1]]) })).rejects.toMatchObject({
      kind: 'malformed',
    });
  });

  it('is refused beside another maintenance, and from another log', async () => {
    await maintenance.feed();
    await bench.settle();
    let inner: unknown;
    await rebuild(
      maintenance.context({
        onProgress: () => (inner ??= rebuild(maintenance.context()).catch((error: unknown) => error)),
      }),
    );
    expect(await inner).toMatchObject({ kind: 'conflict', code: 'maintenance.busy' });
    const other = new MemoryCommandLog({ partitions: 3 });
    const { logId } = await other.open();
    await expect(rebuild(maintenance.context({ log: other, logId }))).rejects.toMatchObject({
      code: 'replay.foreign-log',
    });
    const shorter = new MemoryCommandLog({ partitions: 3, logId: bench.logId });
    await expect(rebuild(maintenance.context({ log: shorter }))).rejects.toMatchObject({ code: 'replay.shorter-log' });
    expect(await rebuild(maintenance.context({ log: shorter }), { acceptDifferences: true })).toMatchObject({
      switched: true,
    });
    expect(
      await bench.db.query({ text: `SELECT FROM ${(await maintenance.live()).schema}.nodes`, values: [] }),
    ).toEqual([]);
  });
});

describe('a wrong clock', () => {
  it('changes nothing of what a replay gives', async () => {
    await maintenance.feed();
    await bench.settle();
    for (const time of [0, Date.UTC(2099, 0, 1)]) {
      const clock = jest.spyOn(Date, 'now').mockReturnValue(time);
      try {
        expect(await verify(maintenance.context())).toMatchObject({ counted: 0 });
      } finally {
        clock.mockRestore();
      }
    }
  });
});

describe('verify', () => {
  it('names each row that differs, and changes nothing', async () => {
    await maintenance.feed();
    await bench.settle();
    const letters = await new DeadLetterStore(bench.db).list({}, { limit: 9, offset: 0 });
    expect(await verify(maintenance.context())).toMatchObject({ counted: 0, records: await maintenance.sizeOf() });
    await bench.rows(
      `DELETE FROM {schema}.reports WHERE report = (SELECT min(report::text)::uuid FROM {schema}.reports)`,
    );
    await bench.rows(`UPDATE {schema}.fact_contents SET value = '1.00' WHERE value = '0.5'`);
    await bench.rows(`INSERT INTO {schema}.environments VALUES (42, 'of nobody')`);
    const verdict = await verify(maintenance.context(), { mostNamed: 5 });
    // The report, and one leaf for each node except two: the deleted node, and the node whose facts were corrected.
    expect(verdict.counted).toBe(9);
    expect(verdict.differences).toHaveLength(5);
    expect(verdict.differences[0]).toMatchObject({ table: 'fact_contents', certname: 'node-0' });
    expect(JSON.parse(verdict.differences[0]!.live!)).toMatchObject({ value: 1 });
    expect(JSON.parse(verdict.differences[0]!.replayed!)).toMatchObject({ value: 0.5 });
    expect(await maintenance.states()).toEqual(['gen_1 live']);
    expect(await new DeadLetterStore(bench.db).list({}, { limit: 9, offset: 0 })).toEqual(letters);
  });
});
