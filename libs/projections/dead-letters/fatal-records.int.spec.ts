import { randomUUID } from 'node:crypto';
import type { Generation } from '#database';
import type { Position } from '#log';
import { factset } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import type { RecoveryPlan } from '../projector/recovery-plan';
import { FatalRecords } from './fatal-records';
import { letterName, retryHeader } from './letter-name';

describe('a record that has ended the projector twice', () => {
  let bench: ProjectionBench;
  beforeEach(async () => {
    bench = await ProjectionBench.open(1);
  });
  afterEach(async () => bench.close());

  const append = (value: number, retried?: Position): Promise<Position> =>
    bench.log.append({
      uuid: randomUUID(),
      command: 'replace facts',
      version: 5,
      certname: 'a',
      receivedAt: 0,
      encoding: 'identity',
      payload: Buffer.from(JSON.stringify(factset('a', { value }))),
      ...(retried && { headers: { [retryHeader]: letterName(retried) } }),
    });
  /** Applies all records of the log. Returns the sizes of the batches in the order in which they began. */
  async function project(generation: Generation, recoveryPlan?: RecoveryPlan): Promise<number[]> {
    const begun: number[] = [];
    const projector = bench.projector({
      generation,
      until: await bench.log.ends(),
      onBegin: (records) => void begun.push(records.length),
      ...(recoveryPlan && { recoveryPlan }),
    });
    await projector.run(new AbortController().signal);
    return begun;
  }
  const value = async (generation: Generation): Promise<string | undefined> =>
    (
      await bench.db.query<{ value: string }>({
        text: `SELECT value::text AS value FROM ${generation.schema}.facts`,
        values: [],
      })
    )[0]?.value;
  const rejecting = (...positions: readonly Position[]): RecoveryPlan => ({
    suspectsBefore: new Map(),
    reject: positions.map((position) => ({ ...position, reason: 'out of memory' })),
  });
  const letters = (): Promise<unknown[]> =>
    bench.rows('SELECT log_offset AS "offset", error, state, attempts FROM nodeledger.dead_letters ORDER BY 1');
  const error = 'The projector ended abnormally twice while it applied this command (out of memory).';

  it('becomes a dead letter, and every later projector rejects it unread, so that the tables are the same', async () => {
    await append(1);
    const fatal = await append(2);
    await project(bench.generation, rejecting(fatal));
    expect(await letters()).toEqual([{ offset: fatal.offset, error, state: 'waiting', attempts: 1 }]);
    expect(await value(bench.generation)).toBe('1');
    const again = await bench.newGeneration();
    await project(again);
    expect(await value(again)).toBe('1');
    expect(await letters()).toHaveLength(1);
  });

  it('stays rejected where its retries did the same, and where a later retry was applied', async () => {
    const fatal = await append(1);
    const second = await append(2, fatal);
    await project(bench.generation, rejecting(fatal, second));
    expect(await letters()).toEqual([{ offset: fatal.offset, error, state: 'waiting', attempts: 2 }]);
    let again = await bench.newGeneration();
    await project(again);
    expect(await value(again)).toBeUndefined();

    await append(3, fatal);
    await project(bench.generation);
    expect(await letters()).toMatchObject([{ state: 'applied' }]);
    again = await bench.newGeneration();
    await project(again);
    expect([await value(bench.generation), await value(again)]).toEqual(['3', '3']);
  });

  it('is known at its new place where the log was copied', async () => {
    const fatal = await append(1);
    const second = await append(2, fatal);
    await project(bench.generation, rejecting(fatal, second));
    const moved = (await FatalRecords.load(bench.db)).moved(({ partition, offset }) => ({
      partition,
      offset: offset + 100,
    }));
    const [record] = await bench.log.reader(new Map([[0, 1]])).next({ maxRecords: 1, maxBytes: 1e6 });
    const at = (offset: number, retried?: number): boolean =>
      moved.has({
        ...record!,
        offset,
        ...(retried !== undefined && { headers: { [retryHeader]: letterName({ partition: 0, offset: retried }) } }),
      });
    const [first, retry] = [fatal.offset + 100, second.offset + 100];
    expect([at(first), at(retry, first), at(fatal.offset), at(retry), at(retry + 1, first)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('is looked for among suspects, which are applied one by one, the others together', async () => {
    for (let turn = 0; turn < 9; turn++) await append(turn);
    const begun = await project(bench.generation, { suspectsBefore: new Map([[0, 4]]), reject: [] });
    expect(begun).toEqual([1, 1, 1, 6]);
  });
});
