import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Database, positionsOf } from '#database';
import type { Position } from '#log';
import { factset } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { DeadLetterStore, type LetterSummary } from './dead-letter-store';
import { letterName } from './letter-name';

const roomy = 20_000_000;
/** A limit so small that every factset here is refused as too large. */
const tight = 20;

describe('dead letters', () => {
  let bench: ProjectionBench;
  let letterStore: DeadLetterStore;
  beforeEach(async () => {
    bench = await ProjectionBench.open();
    letterStore = new DeadLetterStore(bench.db);
  });
  afterEach(async () => bench.close());

  const facts = (certname: string, values: unknown = {}): Promise<Position> =>
    bench.submit('replace facts', certname, { payload: factset(certname, values) });
  const broken = (certname: string, command = 'replace facts'): Promise<Position> =>
    bench.submit(command, certname, { payload: '{"broken": ' });

  async function settle(maxCommandBytes = roomy, generation = bench.generation): Promise<void> {
    const { db, log } = bench;
    const stop = new AbortController();
    const running = bench.projector({ generation, maxCommandBytes }).run(stop.signal);
    const ends = await log.ends();
    const behind = async (): Promise<boolean> => {
      const positions = await positionsOf(db, generation.generation);
      return [...ends].some(([partition, end]) => (positions.get(partition)?.nextOffset ?? 0) < end);
    };
    while (await behind()) await Promise.race([running, delay(5)]);
    stop.abort();
    await running;
  }
  async function retry(letter: Position): Promise<Position> {
    const command = await letterStore.command(letter);
    if (command === undefined) throw new Error('it does not wait');
    return bench.log.append({ ...command, headers: { ...command.headers, 'retry-of': letterName(letter) } });
  }
  const table = (): Promise<unknown[]> =>
    bench.rows('SELECT * FROM nodeledger.dead_letters ORDER BY log_partition, log_offset');
  const found = async (letter: Position): Promise<LetterSummary> => (await letterStore.find(letter)) as LetterSummary;
  const names = async (...filter: Parameters<DeadLetterStore['waiting']>): Promise<string[]> =>
    (await letterStore.waiting(...filter)).map(letterName);

  it('keep the command whole, with its error', async () => {
    const letter = await broken('a');
    await settle();
    expect(await found(letter)).toMatchObject({
      ...letter,
      name: letterName(letter),
      command: 'replace facts',
      version: 5,
      certname: 'a',
      receivedAt: '2026-06-01T00:00:00.000Z',
      state: 'waiting',
      attempts: 1,
      retriedAt: null,
      encoding: 'identity',
      payloadBytes: 11,
      headers: {},
    });
    const payload = await letterStore.payload(letter);
    expect(payload).toMatchObject({ encoding: 'identity', payloadBytes: 11 });
    expect(await buffer(payload!.pieces)).toEqual(Buffer.from('{"broken": '));
    expect(await letterStore.command(letter)).toMatchObject({ receivedAt: Date.UTC(2026, 5, 1), headers: {} });
  });

  it('are listed in pages, by command, node and time', async () => {
    const letters: string[] = [];
    for (const certname of ['a', 'b', 'c']) {
      letters.unshift(letterName(await broken(certname)));
      await settle();
    }
    const report = letterName(await broken('a', 'store report'));
    await settle();
    const listed = async (filter = {}, limit = 100, offset = 0): Promise<unknown> => {
      const page = await letterStore.list(filter, { limit, offset });
      return [page.total, ...page.letters.map(({ name }) => name)];
    };
    expect(await listed()).toEqual([4, report, ...letters]);
    expect(await listed({}, 2, 1)).toEqual([4, letters[0], letters[1]]);
    expect(await listed({ command: 'store report' })).toEqual([1, report]);
    expect(await listed({ certname: 'a' })).toEqual([2, report, letters[2]]);
    expect(await listed({ certname: 'a', command: 'replace facts' })).toEqual([1, letters[2]]);
    expect(await listed({ since: '2100-01-01T00:00:00Z' })).toEqual([0]);
    expect(await listed({ since: '2020-01-01T00:00:00Z' })).toEqual([4, report, ...letters]);
  });

  it('leave the list when a retry is applied, and a replay does not bring them back', async () => {
    const letter = await facts('a', { role: 'web' });
    await settle(tight);
    expect(await names()).toEqual([letterName(letter)]);
    const record = await retry(letter);
    await settle();
    expect(await names()).toEqual([]);
    expect(await found(letter)).toMatchObject({
      state: 'applied',
      attempts: 1,
      payloadBytes: 0,
      lastOffset: record.offset,
    });
    expect(await letterStore.command(letter)).toBeUndefined();
    expect(await bench.rows('SELECT name FROM {schema}.facts')).toEqual([{ name: 'role' }]);
    const before = await table();
    await settle(tight, await bench.newGeneration());
    expect(await table()).toEqual(before);
  });

  it('stay one letter when a retry is rejected again, and replays count nothing twice', async () => {
    const letter = await broken('a');
    await settle();
    const first = await found(letter);
    await retry(letter);
    await settle();
    const second = await found(letter);
    expect(second).toMatchObject({ attempts: 2, rejectedAt: first.rejectedAt, state: 'waiting' });
    expect(second.lastRejectedAt > first.lastRejectedAt).toBe(true);
    expect(await names()).toEqual([letterName(letter)]);
    const before = await table();
    for (let replay = 0; replay < 2; replay++) await settle(roomy, await bench.newGeneration());
    expect(await table()).toEqual(before);
  });

  it('are closed by the first retry that is applied, whatever comes after it', async () => {
    const letter = await facts('a');
    await settle(tight);
    const command = await letterStore.command(letter);
    const record = await retry(letter);
    await settle();
    await bench.log.append({
      ...(command as NonNullable<typeof command>),
      payload: Buffer.from('{'),
      headers: { 'retry-of': letterName(letter) },
    });
    await settle();
    expect(await found(letter)).toMatchObject({ state: 'applied', attempts: 1, lastOffset: record.offset });
    expect(await table()).toHaveLength(1);
  });

  it('have their retries counted also where the whole log is folded as one batch into empty tables', async () => {
    const letter = await broken('a');
    await settle();
    await retry(letter);
    await retry(letter);
    await settle();
    const { attempts, lastOffset } = await found(letter);
    await bench.rows('DELETE FROM nodeledger.dead_letters');
    await settle(roomy, await bench.newGeneration());
    expect(await found(letter)).toMatchObject({ attempts, lastOffset, state: 'waiting' });
    expect(attempts).toBe(3);
  });

  it('are purged one by one or all that match; retries under way and replays change nothing any more', async () => {
    const a = await broken('a');
    const b = await broken('b');
    const c = await broken('c');
    await settle();
    await retry(a);
    expect(await letterStore.purge(a)).toBe(true);
    expect(await letterStore.purge(a)).toBe(false);
    expect(await letterStore.purge({ partition: 0, offset: 999 })).toBe(false);
    expect(await letterStore.purgeMatching({ certname: 'b' })).toBe(1);
    await settle();
    expect(await names()).toEqual([letterName(c)]);
    // The error and the headers may quote the payload.
    const emptied = { state: 'purged', payloadBytes: 0, headers: {}, error: '', exception: '' };
    expect(await found(a)).toMatchObject({ ...emptied, attempts: 1 });
    expect(await found(b)).toMatchObject(emptied);
    const before = await table();
    await settle(roomy, await bench.newGeneration());
    expect(await table()).toEqual(before);
    expect(await letterStore.purgeMatching({})).toBe(1);
    expect(await names()).toEqual([]);
  });

  it('are never made of what the database is to blame for: its connections are broken under load', async () => {
    const nodes = Array.from({ length: 300 }, (_, index) => `node-${index}`);
    await Promise.all(nodes.map((certname) => facts(certname, { certname, list: [1, { a: certname }] })));
    const killer = new Database({ connectionString: bench.connectionString, max: 1 });
    const stop = new AbortController();
    const retries: unknown[] = [];
    // If a record is alone in its batch, a failure of the batch is attributed to it.
    const projector = bench.projector({ batchRecords: 1, onRetry: (error) => void retries.push(error) });
    const running = projector.run(stop.signal);
    try {
      for (let round = 0; round < 25; round++) {
        await killer.query({
          text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid()`,
          values: [],
        });
        await Promise.race([running, delay(15)]);
      }
    } finally {
      await killer.close();
      stop.abort();
      await running;
    }
    expect(retries.length).toBeGreaterThan(0);
    await settle();
    expect(await table()).toEqual([]);
    expect(await bench.rows('SELECT count(*)::int AS n FROM {schema}.factsets')).toEqual([{ n: nodes.length }]);
  });
});
