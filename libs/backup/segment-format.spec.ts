import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogRecord } from '#log';
import { readSegment, segmentBytes } from './segment-format';

let dir: string;
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'nodeledger-segment-'))));
afterEach(() => rm(dir, { recursive: true }));

const record: LogRecord = {
  ...{ partition: 3, offset: 7, uuid: 'u', command: 'replace facts', version: 5, certname: 'a', receivedAt: 1 },
  ...{ encoding: 'identity' as const, payload: Buffer.from('["text"]'.repeat(1_000)) },
};

async function read(bytes: Buffer): Promise<LogRecord[]> {
  const path = join(dir, 'segment.log');
  await writeFile(path, bytes);
  const records: LogRecord[] = [];
  for await (const one of readSegment(path, 3)) records.push(one);
  return records;
}
const segment = async (): Promise<Buffer> => Buffer.concat(await segmentBytes(record));

test('records are read as they were written', async () => {
  const bytes = await segment();
  expect(bytes.length).toBeLessThan(record.payload.length);
  expect(await read(Buffer.concat([bytes, bytes]))).toEqual([record, record]);
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  ['ends in the lengths', (bytes) => bytes.subarray(0, 5)],
  ['ends in the head', (bytes) => bytes.subarray(0, 20)],
  ['ends in the payload', (bytes) => bytes.subarray(0, -1)],
  ['says that a head has 4 GB', (bytes) => withLength(bytes, 0)],
  ['says that a payload has 4 GB', (bytes) => withLength(bytes, 4)],
  ['has a head that is no JSON', (bytes) => Buffer.concat([bytes.subarray(0, 8), Buffer.from('x'), bytes.subarray(9)])],
  ['has a payload that cannot be inflated', (bytes) => Buffer.concat([bytes.subarray(0, -9), Buffer.alloc(9)])],
])('a segment that %s is refused', async (_title, damage) => {
  await expect(segment().then((bytes) => read(damage(bytes)))).rejects.toMatchObject({ code: 'backup.damaged' });
});

const withLength = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(2 ** 32 - 1, at);
  return copy;
};
