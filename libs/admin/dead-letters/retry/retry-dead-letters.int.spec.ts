import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Completions } from '#commands';
import { type CommandLog, type NewRecord, type Position } from '#log';
import { DeadLetterStore, letterName } from '#projections';
import { factset } from '../../../../test/support/documents';
import { ProjectionBench } from '../../../../test/support/projection';
import { PurgeDeadLetters } from '../purge/purge-dead-letters';
import { PurgeDeadLettersHandler } from '../purge/purge-dead-letters.handler';
import { type Retried, RetryDeadLetters, type LetterSelection } from './retry-dead-letters';
import { RetryDeadLettersHandler } from './retry-dead-letters.handler';

describe('retry of dead letters', () => {
  let bench: ProjectionBench;
  let completions: Completions;
  let letterStore: DeadLetterStore;
  let stop: AbortController;
  let projecting: Promise<void> | undefined;
  beforeEach(async () => {
    bench = await ProjectionBench.open();
    letterStore = new DeadLetterStore(bench.db);
    completions = new Completions(bench.db);
    await completions.open();
    stop = new AbortController();
    projecting = undefined;
  });
  afterEach(async () => {
    stop.abort();
    await projecting;
    await completions.close();
    await bench.close();
  });
  const project = (): void => {
    projecting ??= bench.projector().run(stop.signal);
  };
  const handler = (log: CommandLog = bench.log): RetryDeadLettersHandler =>
    new RetryDeadLettersHandler(letterStore, log, completions);
  const retry = (wanted: LetterSelection, waitMs = 20_000, by = handler()): Promise<Retried> =>
    by.execute(new RetryDeadLetters(wanted, waitMs));

  /** A dead letter whose payload became valid, for example after an update of the service. */
  async function mended(certname: string, role: string): Promise<Position> {
    const letter = await bench.submit('replace facts', certname, { payload: '{"broken": ' });
    await bench.settle();
    const payload = Buffer.from(JSON.stringify(factset(certname, { role }, { producer_timestamp: role })));
    await bench.rows('UPDATE nodeledger.dead_letters SET payload = $1 WHERE log_partition = $2 AND log_offset = $3', [
      payload,
      letter.partition,
      letter.offset,
    ]);
    return letter;
  }
  async function records(): Promise<(NewRecord & Position)[]> {
    const ends = await bench.log.ends();
    const reader = bench.log.reader(new Map([...ends.keys()].map((partition) => [partition, 1])));
    const wanted = [...ends.values()].reduce((sum, end) => sum + end - 1, 0);
    const read: (NewRecord & Position)[] = [];
    while (read.length < wanted) read.push(...(await reader.next({ maxRecords: 100, maxBytes: 1 << 20 })));
    await reader.close();
    return read;
  }

  it('appends the command with its id, received time and origin, and tells what became of it', async () => {
    const good = await mended('a', '2026-01-01T00:00:00Z');
    const bad = await bench.submit('replace facts', 'b', { payload: '{' });
    await bench.settle();
    const original = (await records()).find(({ certname }) => certname === 'a');
    project();
    expect(await retry({ matching: {} })).toEqual({ retried: 2, applied: 1, rejected: 1, pending: 0 });
    const again = (await records()).find(({ certname, headers }) => certname === 'a' && headers !== undefined);
    expect(again).toMatchObject({
      uuid: original?.uuid,
      receivedAt: original?.receivedAt,
      command: 'replace facts',
      headers: { 'retry-of': letterName(good) },
    });
    expect((await letterStore.waiting()).map(letterName)).toEqual([letterName(bad)]);
    const { attempts, retriedAt } = (await letterStore.find(bad)) ?? {};
    expect({ attempts, retried: retriedAt !== null }).toEqual({ attempts: 2, retried: true });
    await expect(retry({ letter: good })).rejects.toMatchObject({ kind: 'missing', code: 'admin.no-letter' });
    await expect(retry({ letter: { partition: 0, offset: 999 } })).rejects.toMatchObject({ kind: 'missing' });
  });

  it('gives the letters of a node in the order of the log, so that the newest one stands in the end', async () => {
    await mended('a', '2026-01-01T00:00:00Z');
    await mended('a', '2026-01-02T00:00:00Z');
    project();
    expect(await retry({ matching: { certname: 'a' } })).toMatchObject({ retried: 2, applied: 2 });
    expect(await bench.rows(`SELECT value #>> '{}' AS role FROM {schema}.facts`)).toEqual([
      { role: '2026-01-02T00:00:00Z' },
    ]);
  });

  it('tells apart what is not decided yet, and its outcome comes all the same', async () => {
    const letter = await mended('a', '2026-01-01T00:00:00Z');
    expect(await retry({ letter }, 50)).toEqual({ retried: 1, applied: 0, rejected: 0, pending: 1 });
    await bench.settle();
    expect(await letterStore.find(letter)).toMatchObject({ state: 'applied' });
  });

  it('loses nothing where the process ends between the append and what follows', async () => {
    const letter = await mended('a', '2026-01-01T00:00:00Z');
    const dying = new Proxy<CommandLog>(bench.log, {
      get: (log, name) =>
        name === 'append'
          ? async (record: NewRecord) => {
              await log.append(record);
              throw new Error('the process is gone');
            }
          : (Reflect.get(log, name) as unknown),
    });
    await expect(retry({ letter }, 50, handler(dying))).rejects.toThrow('gone');
    // The first retry was not recorded, so the service retries again, and the log contains the command twice.
    expect(await retry({ letter }, 0)).toMatchObject({ retried: 1 });
    await bench.settle();
    expect(await letterStore.find(letter)).toMatchObject({ state: 'applied', attempts: 1 });
    expect(await bench.rows('SELECT count(*)::int AS n FROM nodeledger.dead_letters')).toEqual([{ n: 1 }]);
    expect(await bench.rows('SELECT count(*)::int AS n FROM {schema}.factsets')).toEqual([{ n: 1 }]);
  });

  it('adds one listener to its signal, in however many partitions it waits', async () => {
    for (const certname of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await mended(certname, '2026-01-01T00:00:00Z');
    expect(new Set((await letterStore.waiting()).map(({ partition }) => partition)).size).toBeGreaterThan(2);
    const given = new AbortController();
    const running = handler().execute(new RetryDeadLetters({ matching: {} }, 60_000, given.signal));
    const listeners = (): number => getEventListeners(given.signal, 'abort').length;
    for (let turn = 0; turn < 500 && listeners() === 0; turn++) await delay(10);
    expect(listeners()).toBe(1);
    given.abort();
    expect(await running).toMatchObject({ retried: 8, pending: 8 });
    expect(listeners()).toBe(0);
  });

  it('runs once at a time', async () => {
    await mended('a', '2026-01-01T00:00:00Z');
    const one = handler();
    const first = retry({ matching: {} }, 300, one);
    await expect(retry({ matching: {} }, 300, one)).rejects.toMatchObject({ kind: 'conflict', code: 'admin.retrying' });
    expect(await first).toMatchObject({ pending: 1 });
  });

  it('purge takes one or all that match, and says where there is none', async () => {
    const a = await bench.submit('replace facts', 'a', { payload: '{' });
    await bench.submit('replace facts', 'b', { payload: '{' });
    await bench.settle();
    const purge = new PurgeDeadLettersHandler(letterStore);
    expect(await purge.execute(new PurgeDeadLetters({ letter: a }))).toEqual({ purged: 1 });
    await expect(purge.execute(new PurgeDeadLetters({ letter: a }))).rejects.toMatchObject({ kind: 'missing' });
    await expect(retry({ letter: a })).rejects.toThrow('purged');
    expect(await purge.execute(new PurgeDeadLetters({ matching: { certname: 'a' } }))).toEqual({ purged: 0 });
    expect(await purge.execute(new PurgeDeadLetters({ matching: {} }))).toEqual({ purged: 1 });
  });
});
