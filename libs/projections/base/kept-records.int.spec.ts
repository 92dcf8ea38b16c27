import type { Position } from '#log';
import { lifecycleCommands } from '#wire';
import { limitNode } from '../../../test/support/age-limits';
import { factset, report } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { key64 } from '../keys';
import { findKept, makeKeptTable, positionKey, type KeptRecord } from './kept-records';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second, 7)).toISOString();

describe('kept records', () => {
  let bench: ProjectionBench;
  const positions: Position[] = [];
  beforeEach(async () => {
    bench = await ProjectionBench.open();
    positions.length = 0;
  });
  afterEach(async () => bench.close());

  const give = async (command: string, certname: string, version: number, members: object): Promise<void> => {
    positions.push(await bench.submit(command, certname, { version, payload: { certname, ...members } }));
  };
  const facts = (certname: string, second: number): Promise<void> =>
    give('replace facts', certname, 5, factset(certname, { os: 'x' }, { producer_timestamp: at(second) }));

  /** Returns the kept form of each record, in order. */
  async function kept(): Promise<(KeptRecord | undefined)[]> {
    const found = await findKept(bench.db, bench.generation.schema, positions);
    return positions.map((position) => found.get(positionKey(position)));
  }

  it('are those that rows came from, and the node as it is where its life was changed last', async () => {
    const certname = 'host "é" \\ 1';
    await facts(certname, 1);
    await facts(certname, 3);
    await facts(certname, 2);
    await give('store report', certname, 8, report(certname, [], { producer_timestamp: at(1) }));
    await give('deactivate node', certname, 3, { producer_timestamp: at(4) });
    await give('configure expiration', certname, 1, { producer_timestamp: at(2), expire: { facts: false } });
    await give('deactivate node', certname, 3, { producer_timestamp: at(3) });
    await give('deactivate node', 'goes', 3, { producer_timestamp: at(3) });
    await give(lifecycleCommands.deleteNode.command, 'goes', 1, {});
    await bench.settle();
    expect(await makeKeptTable(bench.db, bench.generation.schema)).toBe(3);
    const [, , , , , state] = await kept();
    expect(await kept()).toEqual([
      ...[undefined, 'document', undefined, 'document', undefined],
      { nodeStates: [expect.any(String)] },
      ...[undefined, undefined, undefined],
    ]);
    expect(JSON.parse((state as { nodeStates: string[] }).nodeStates[0] as string)).toEqual({
      certname,
      deactivated: at(4),
      expired: null,
      expired_cutoff: null,
      expire_facts: false,
      expire_facts_updated: at(2),
    });
  });

  it('tell of an expired node since when it was silent', async () => {
    await facts('a', 1);
    positions.push(await limitNode(bench, 'a', { expiry: { expired: at(40), cutoff: at(9), most: 1 } }));
    await bench.settle();
    await makeKeptTable(bench.db, bench.generation.schema);
    const [, state] = await kept();
    expect(JSON.parse((state as { nodeStates: string[] }).nodeStates[0] as string)).toMatchObject({
      expired: at(40),
      expired_cutoff: at(9),
    });
  });

  it('may be looked for again when the tables have moved on', async () => {
    await facts('a', 1);
    await bench.settle();
    expect(await makeKeptTable(bench.db, bench.generation.schema)).toBe(1);
    await facts('a', 2);
    await facts('b', 1);
    await bench.settle();
    expect(await makeKeptTable(bench.db, bench.generation.schema)).toBe(2);
    expect(await kept()).toEqual([undefined, 'document', 'document']);
  });

  it('never are two things in one place: tables that say so are refused', async () => {
    await facts('a', 1);
    await bench.settle();
    await bench.rows(
      `UPDATE {schema}.nodes SET (log_partition, log_offset) = (SELECT log_partition, log_offset FROM {schema}.factsets)
       WHERE node = $1::bigint`,
      [key64('a')],
    );
    await expect(makeKeptTable(bench.db, bench.generation.schema)).rejects.toMatchObject({ code: '23505' });
  });
});
