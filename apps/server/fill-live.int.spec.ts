import { type Generation, Generations } from '#database';
import { Fault } from '#fault';
import { ProjectionBench } from '../../test/support/projection';
import { fillLive } from './fill-live';
import { until } from '../../test/support/until';

let bench: ProjectionBench;
let generations: Generations;

beforeEach(async () => {
  bench = await ProjectionBench.open(2);
  generations = new Generations(bench.db);
});
afterEach(() => bench.close());

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

const switchTo = (next: Generation): Promise<void> => generations.switchTo(next, () => Promise.resolve());

test('goes over to what becomes live, at once, and ends when it is told to', async () => {
  const stopping = new AbortController();
  const filled: number[] = [];
  const filling = fillLive(bench.db, new Generations(bench.db), stopping.signal, ({ generation }, signal) => {
    filled.push(generation);
    return untilAborted(signal);
  });
  await until(() => filled.length === 1);
  const next = await bench.newGeneration();
  await switchTo(next);
  await until(() => filled.length === 2);
  stopping.abort();
  await filling;
  expect(filled).toEqual([bench.generation.generation, next.generation]);
});

test('a fill that finds its tables retired is followed by the next although no notification of the switch arrived', async () => {
  const stopping = new AbortController();
  const filled: number[] = [];
  const filling = fillLive(bench.db, new Generations(bench.db), stopping.signal, async ({ generation }, signal) => {
    filled.push(generation);
    if (filled.length > 1) return untilAborted(signal);
    const next = await bench.newGeneration();
    await bench.rows(`UPDATE nodeledger.generations SET state = 'retired' WHERE state = 'live'`);
    await bench.rows(`UPDATE nodeledger.generations SET state = 'live' WHERE generation = ${next.generation}`);
    throw new Fault('conflict', 'database.retired', 'no longer filled');
  });
  await until(() => filled.length === 2);
  stopping.abort();
  await filling;
  expect(new Set(filled).size).toBe(2);
});

test('what fails for another reason, and tables that only say that they are retired, end it', async () => {
  const never = new AbortController().signal;
  const fill = (error: Error) => () => Promise.reject(error);
  const other = new Fault('broken', 'log.gap', 'a gap');
  await expect(fillLive(bench.db, generations, never, fill(other))).rejects.toBe(other);
  const retired = new Fault('conflict', 'database.retired', 'no longer filled');
  await expect(fillLive(bench.db, generations, never, fill(retired))).rejects.toMatchObject({
    code: 'server.no-generation',
  });
});

test('tables of another form are not touched', async () => {
  await bench.rows(`UPDATE nodeledger.generations SET projection_version = projection_version + 1`);
  let filled = 0;
  const fill = (): Promise<void> => Promise.resolve(void filled++);
  await expect(fillLive(bench.db, generations, new AbortController().signal, fill)).rejects.toMatchObject({
    code: 'server.projection-version',
  });
  expect(filled).toBe(0);
});
