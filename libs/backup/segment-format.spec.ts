import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { LogRecord } from '#log';
import { BlockFile } from './block-file';
import { readSegment, segmentBytes } from './segment-format';

let dir: string;
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'nodeledger-segment-'))));
afterEach(() => rm(dir, { recursive: true }));

const record: LogRecord = {
  ...{ partition: 3, offset: 7, uuid: 'u', command: 'replace facts', version: 5, certname: 'a', receivedAt: 1 },
  ...{ encoding: 'identity' as const, payload: Buffer.from('["text"]'.repeat(1_000)) },
};

interface Written {
  readonly bytes: Buffer;
  /** Path of the file of blocks. */
  readonly blocks: string | undefined;
  readonly blockBytes: number;
}

async function read({ bytes, blocks }: Pick<Written, 'bytes' | 'blocks'>): Promise<LogRecord[]> {
  const path = join(dir, 'segment.log');
  await writeFile(path, bytes);
  const records: LogRecord[] = [];
  for await (const one of readSegment(path, 3, blocks)) records.push(one);
  return records;
}

async function write(records: readonly LogRecord[], mostBlocks?: number): Promise<Written> {
  const blocks = new BlockFile(dir, '.', mostBlocks);
  const frames: Buffer[] = [];
  for (const one of records) frames.push(...(await segmentBytes(one, blocks)));
  const file = await blocks.end();
  return { bytes: Buffer.concat(frames), blocks: file && join(dir, file.file), blockBytes: file?.bytes ?? 0 };
}
const segment = (...records: LogRecord[]): Promise<Written> => write(records);

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
  const written = await segment(record, record);
  expect(written.bytes.length).toBeLessThan(2 * record.payload.length);
  expect(written.blocks).toBeUndefined();
  expect(await read(written)).toEqual([record, record]);
});

test('an unchanged section is stored once, and of a changed one only the pieces around the change', async () => {
  const [first, same, changed] = [catalogOf(0), catalogOf(0), catalogOf(1)];
  const [one, two, three] = [await segment(first), await segment(first, same), await segment(first, same, changed)];
  expect(two.blockBytes).toBe(one.blockBytes);
  expect(three.blockBytes - two.blockBytes).toBeLessThan(one.blockBytes / 4);
  expect(three.bytes.length).toBeLessThan(one.blockBytes);
  expect(documentsOf(await read(three))).toEqual(sent(first, same, changed));
});

test('blocks that are forgotten are stored again, and read all the same', async () => {
  const records = [0, 1, 0, 1].map((version) => catalogOf(version));
  const [few, all] = [await write(records, 3), await write(records)];
  expect(few.blockBytes).toBeGreaterThan(all.blockBytes * 1.5);
  expect(documentsOf(await read(few))).toEqual(sent(...records));
});

test('a document is refused if its blocks were changed, are missing or end too early', async () => {
  const { bytes, blocks } = await segment(catalogOf(0));
  const content = await readFile(blocks!);
  const changed = Buffer.from(content);
  changed[100] = content[100]! ^ 1;
  for (const other of [changed, content.subarray(0, -1)]) {
    await writeFile(blocks!, other);
    await expect(read({ bytes, blocks })).rejects.toMatchObject({ code: 'backup.damaged' });
  }
  await expect(read({ bytes, blocks: undefined })).rejects.toMatchObject({ code: 'backup.damaged' });
  await writeFile(blocks!, content);
  await expect(read({ bytes, blocks })).resolves.toHaveLength(1);
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
  await expect(
    segment(record).then(({ bytes }) => read({ bytes: damage(bytes), blocks: undefined })),
  ).rejects.toMatchObject({ code: 'backup.damaged' });
});

const withLength = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(2 ** 32 - 1, at);
  return copy;
};
