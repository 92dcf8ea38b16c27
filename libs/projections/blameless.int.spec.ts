import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '#database';
import { factset } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';

describe('a record that the database does not take for a reason of its own', () => {
  let bench: ProjectionBench;
  beforeEach(async () => {
    bench = await ProjectionBench.open(1);
  });
  afterEach(async () => bench.close());

  const submit = (value: number): Promise<unknown> =>
    bench.submit('replace facts', 'a', {
      payload: factset('a', { value }, { producer_timestamp: `2026-01-0${value}T00:00:00.000Z` }),
    });
  const value = (): Promise<unknown[]> => bench.rows('SELECT value::text AS value FROM {schema}.facts');

  /** Runs a projector whose connections have the setting, until `meanwhile` has ended and the second value exists. */
  async function projected(
    setting: string,
    meanwhile: (waiting: () => Promise<void>) => Promise<void>,
  ): Promise<{ waits: number; letters: number }> {
    const url = new URL(bench.connectionString);
    url.searchParams.set('options', `-c ${setting}`);
    const db = new Database({ connectionString: url.href, max: 2 });
    let [waits, letters] = [0, 0];
    const stop = new AbortController();
    const running = bench
      .projector({ db, onRetry: () => void waits++, onDeadLetter: () => void letters++ })
      .run(stop.signal);
    running.catch(() => undefined);
    try {
      await meanwhile(async () => {
        for (let turn = 0; turn < 400 && waits === 0; turn++) await delay(50);
      });
      for (let turn = 0; turn < 150 && (await value()).length > 0 && letters === 0; turn++) {
        const [row] = (await value()) as { value: string }[];
        if (row?.value === '2') break;
        await delay(50);
      }
    } finally {
      stop.abort();
      await running;
      await db.close();
    }
    return { waits, letters };
  }

  it('waits, and is no dead letter, where somebody holds a lock for longer than connections may wait', async () => {
    await submit(1);
    await bench.settle();
    const { waits, letters } = await projected('lock_timeout=50ms', (waiting) =>
      bench.db.transaction(async (session) => {
        await session.query({ text: `SELECT FROM ${bench.generation.schema}.nodes FOR UPDATE`, values: [] });
        await submit(2);
        await waiting();
      }),
    );
    expect(letters).toBe(0);
    expect(await value()).toEqual([{ value: '2' }]);
    expect(waits).toBeGreaterThan(0);
  });
});
