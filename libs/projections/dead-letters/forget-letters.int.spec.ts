import type { Position } from '#log';
import { factset } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { DeadLetterStore } from './dead-letter-store';
import { FatalRecords } from './fatal-records';
import { purgeOldLetters } from './forget-letters';
import { letterName } from './letter-name';

const dayMs = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

let bench: ProjectionBench;
let letterStore: DeadLetterStore;
beforeEach(async () => {
  bench = await ProjectionBench.open(1);
  letterStore = new DeadLetterStore(bench.db);
});
afterEach(() => bench.close());

const broken = (certname: string): Promise<Position> =>
  bench.submit('replace facts', certname, { payload: '{"secret-of-it": ' });
const rejectedAt = (letter: Position, days: number): Promise<unknown> =>
  bench.rows('UPDATE nodeledger.dead_letters SET last_rejected_at = $3 WHERE log_partition = $1 AND log_offset = $2', [
    letter.partition,
    letter.offset,
    ago(days),
  ]);
const retry = async (letter: Position, payload?: unknown): Promise<Position> => {
  const command = await letterStore.command(letter);
  if (command === undefined) throw new Error('it does not wait');
  return bench.log.append({
    ...command,
    ...(payload !== undefined && { payload: Buffer.from(JSON.stringify(payload)) }),
    headers: { 'retry-of': letterName(letter) },
  });
};
const remove = (certname: string): Promise<unknown> =>
  bench.submit('delete node', certname, { version: 1, payload: { certname } });
const waiting = async (): Promise<string[]> => (await letterStore.waiting()).map(letterName);
const rows = (): Promise<{ state: string; text: string; payload: Buffer }[]> =>
  bench.rows(`SELECT state, concat(error, exception, headers) AS text, payload FROM nodeledger.dead_letters
              ORDER BY log_partition, log_offset`);
const purge = (days: number, tail = 1): Promise<number> =>
  purgeOldLetters(bench.db, { before: ago(days), tails: new Map([[0, tail]]) });

describe('old dead letters', () => {
  it('are purged with what they quote; newer ones, and old ones that were rejected again lately, wait', async () => {
    const [old, again, recent] = [await broken('a'), await broken('b'), await broken('c')];
    await bench.settle();
    for (const letter of [old, again]) await rejectedAt(letter, 31);
    await rejectedAt(recent, 29);
    await retry(again);
    await bench.settle();
    expect(await purge(30)).toBe(1);
    expect(await waiting()).toEqual([letterName(again), letterName(recent)]);
    const [first] = await rows();
    expect(first).toEqual({ state: 'purged', text: '{}', payload: Buffer.alloc(0) });
    expect(await purge(30)).toBe(0);
    // A replay does not create the letter again.
    await bench.settle(await bench.newGeneration());
    expect(await waiting()).toEqual([letterName(again), letterName(recent)]);
  });

  it('are not purged while a retry may be under way, or its outcome would be lost', async () => {
    const letter = await broken('a');
    await bench.settle();
    await rejectedAt(letter, 31);
    await bench.rows('UPDATE nodeledger.dead_letters SET retried_at = now()');
    expect(await purge(30)).toBe(0);
    await retry(letter);
    await bench.settle();
    expect(await waiting()).toEqual([letterName(letter)]);
  });

  it('are purged however many there are', async () => {
    await bench.rows(`INSERT INTO nodeledger.dead_letters (log_partition, log_offset, uuid, command, version, certname, received_at,
                        headers, encoding, payload, error, exception, attempts, last_rejected_at)
                      SELECT 0, n, gen_random_uuid(), 'replace facts', 5, 'a', now(), '{}', 'identity', 'x', 'e', 'e', 1,
                        now() - interval '40 days' FROM generate_series(1, 950) n`);
    expect(await purge(30)).toBe(950);
    expect(await waiting()).toEqual([]);
  });

  it('leave nothing when they are decided and the log has lost the command and its retries', async () => {
    const [purged, applied, lately] = [await broken('a'), await broken('b'), await broken('c')];
    await bench.settle();
    await letterStore.purge(purged);
    await letterStore.purge(lately);
    const last = await retry(applied, factset('b', {}));
    await bench.settle();
    for (const letter of [purged, applied]) await rejectedAt(letter, 31);
    expect(await purge(30, 1)).toBe(0);
    expect(await rows()).toHaveLength(3);
    // The tail still has the retry. A replay counts the retry in its dead letter.
    await purge(30, last.offset);
    expect((await rows()).map(({ state }) => state)).toEqual(['applied', 'purged']);
    await purge(30, last.offset + 1);
    expect(await rows()).toHaveLength(1);
  });
});

describe('dead letters of a deleted node', () => {
  it('are forgotten, in whatever state; those of others and later ones stay, also in a replay', async () => {
    const [one, purged, other] = [await broken('gone'), await broken('gone'), await broken('stays')];
    await bench.settle();
    await letterStore.purge(purged);
    await remove('gone');
    await bench.settle();
    expect(await waiting()).toEqual([letterName(other)]);
    for (const { text, payload } of (await rows()).slice(0, 2)) {
      expect(text).toBe('{}');
      expect(payload).toHaveLength(0);
    }
    const later = await broken('gone');
    await bench.settle();
    expect(await letterStore.find(one)).toMatchObject({ state: 'purged' });
    // A replay or a deletion does not write a forgotten letter again.
    const versions = (): Promise<unknown[]> =>
      bench.rows('SELECT xmin::text FROM nodeledger.dead_letters ORDER BY log_offset');
    const written = await versions();
    expect(await waiting()).toEqual([letterName(other), letterName(later)]);
    const before = await rows();
    await bench.settle(await bench.newGeneration());
    expect(await rows()).toEqual(before);
    expect(await versions()).toEqual(written);
  });

  it('still say that their record is fatal, so that no replay reads it', async () => {
    const letter = await broken('gone');
    await bench.settle();
    await bench.rows(`UPDATE nodeledger.dead_letters SET exception = 'projections.fatal-record: it ended twice'`);
    await remove('gone');
    await bench.settle();
    expect(await waiting()).toEqual([]);
    const record = { ...letter, certname: 'gone' } as unknown as Parameters<FatalRecords['has']>[0];
    expect((await FatalRecords.load(bench.db)).has(record)).toBe(true);
  });
});
