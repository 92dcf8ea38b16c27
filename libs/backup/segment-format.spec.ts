import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { LogRecord } from '#log';
import { readSegment, SegmentContent } from './segment-format';

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
const segment = async (...records: LogRecord[]): Promise<Buffer> => {
  const content = new SegmentContent();
  const frames: Buffer[] = [];
  for (const one of records) frames.push(...(await content.add(one)));
  const bytes = Buffer.concat(frames);
  expect(content.bytes).toBe(bytes.length);
  return bytes;
};

/** A catalog of `count` resources, of which one has another title in each version. */
function catalogOf(version: number, count = 400): LogRecord {
  const resources = Array.from({ length: count }, (_, n) => ({
    ...{ type: 'File', title: `/etc/${n}-${n === 200 ? version : 0}`, line: hash('sha256', String(n)) },
  }));
  const document = { certname: 'a', version, resources, edges: [], transaction_uuid: `t${version}` };
  const payload = gzipSync(JSON.stringify(document));
  return {
    ...record,
    uuid: `c${version}`,
    offset: 10 + version,
    command: 'replace catalog',
    encoding: 'gzip',
    payload,
  };
}
const documentsOf = (records: readonly LogRecord[]): string[] => records.map(({ payload }) => payload.toString());
const sent = (...records: LogRecord[]): string[] => records.map(({ payload }) => gunzipSync(payload).toString());

test('records are read as they were written', async () => {
  const bytes = await segment(record, record);
  expect(bytes.length).toBeLessThan(record.payload.length);
  expect(await read(bytes)).toEqual([record, record]);
});

test('an unchanged section is stored once, and of a changed one only the pieces around the change', async () => {
  const [first, same, changed] = [catalogOf(0), catalogOf(0), catalogOf(1)];
  const [one, two, three] = [await segment(first), await segment(first, same), await segment(first, same, changed)];
  expect(two.length - one.length).toBeLessThan(one.length / 20);
  expect(three.length - two.length).toBeLessThan(one.length / 4);
  expect(documentsOf(await read(three))).toEqual(sent(first, same, changed));
});

test('a segment that remembers few blocks stores them again, and is read all the same', async () => {
  const content = new SegmentContent(3);
  const records = [0, 1, 0, 1].map((version) => catalogOf(version));
  const frames: Buffer[] = [];
  for (const one of records) frames.push(...(await content.add(one)));
  expect(documentsOf(await read(Buffer.concat(frames)))).toEqual(sent(...records));
});

test('a document whose section was changed in the file is refused', async () => {
  const bytes = await segment(catalogOf(0));
  const last = bytes.lastIndexOf('"sha256":"');
  await expect(read(bytes)).resolves.toHaveLength(1);
  const other = Buffer.from(bytes);
  other.write(other.toString('latin1', last + 10, last + 11) === 'A' ? 'B' : 'A', last + 10);
  await expect(read(other)).rejects.toMatchObject({ code: 'backup.damaged' });
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
  await expect(segment(record).then((bytes) => read(damage(bytes)))).rejects.toMatchObject({ code: 'backup.damaged' });
});

const withLength = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(2 ** 32 - 1, at);
  return copy;
};
