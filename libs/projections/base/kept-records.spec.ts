import type { LogRecord, Position } from '#log';
import { lifecycleCommands } from '#wire';
import { baseRecords, type KeptRecord, positionKey } from './kept-records';

const record = (offset: number, over: Partial<LogRecord> = {}): LogRecord => ({
  partition: 2,
  offset,
  uuid: `00000000-0000-4000-8000-${String(offset).padStart(12, '0')}`,
  command: 'replace facts',
  version: 5,
  certname: 'a',
  receivedAt: 1_000 + offset,
  encoding: 'gzip',
  payload: Buffer.from([offset % 256]),
  ...over,
});

async function* batchesOf(...batches: LogRecord[][]): AsyncGenerator<LogRecord[]> {
  yield* batches;
}

async function base(batches: AsyncIterable<LogRecord[]>, kept: ReadonlyMap<string, KeptRecord>): Promise<LogRecord[]> {
  const found: LogRecord[] = [];
  for await (const one of baseRecords(batches, async () => kept)) found.push(one);
  return found;
}

const key = (offset: number): string => positionKey({ partition: 2, offset });

it('keeps documents as they came, in order and at their places, and nothing else', async () => {
  const headers = { 'retry-of': '2-1' };
  const found = await base(
    batchesOf([record(1), record(2, { headers })], [record(4), record(7)]),
    new Map<string, KeptRecord>([
      [key(2), 'document'],
      [key(7), 'document'],
      [positionKey({ partition: 1, offset: 4 }), 'document'],
    ]),
  );
  expect(found).toStrictEqual([record(2, { headers }), record(7)]);
});

it('does not say of a document which record followed it in the log that it was read from', async () => {
  const found = await base(batchesOf([record(1, { next: 9 })]), new Map([[key(1), 'document']]));
  expect(found).toStrictEqual([record(1)]);
});

it('puts a node’s state in the place of the record that it replaces, under that one’s id and time', async () => {
  const nodeState = '{"certname" : "a"}';
  const replaced = record(3, { command: 'deactivate node', version: 3, headers: { x: 'y' }, next: 8 });
  const found = await base(batchesOf([replaced]), new Map([[key(3), { nodeStates: [nodeState] }]]));
  const { uuid, receivedAt, certname, partition, offset } = replaced;
  expect(found).toStrictEqual([
    {
      ...lifecycleCommands.restoreNode,
      ...{ uuid, receivedAt, certname, partition, offset },
      encoding: 'identity',
      payload: Buffer.from(nodeState),
    },
  ]);
});

it('puts the states of many nodes in the place of an age limit, and of what an earlier base made of one', async () => {
  const nodeStates = ['{"certname":"a"}', '{"certname":"b"}'];
  for (const command of ['apply age limits', 'restore nodes']) {
    const replaced = record(3, { command, version: 1, certname: 'partition "2"' });
    const [found] = await base(batchesOf([replaced]), new Map([[key(3), { nodeStates }]]));
    expect(found).toMatchObject({
      ...lifecycleCommands.restoreNodes,
      certname: 'partition "2"',
      partition: 2,
      offset: 3,
    });
    expect(JSON.parse((found as LogRecord).payload.toString())).toEqual({
      certname: 'partition "2"',
      nodes: [{ certname: 'a' }, { certname: 'b' }],
    });
  }
});

it('asks for no more than a thousand positions at once, for each of them once', async () => {
  const records = Array.from({ length: 2_345 }, (_, index) => record(index + 1));
  const lookups: (readonly Position[])[] = [];
  const lookUp = async (positions: readonly Position[]): Promise<Map<string, KeptRecord>> => {
    lookups.push(positions);
    return new Map(positions.map((one) => [positionKey(one), 'document']));
  };
  let found = 0;
  for await (const { offset } of baseRecords(batchesOf(records), lookUp)) expect(offset).toBe(++found);
  expect(lookups.map(({ length }) => length)).toEqual([1_000, 1_000, 345]);
});
