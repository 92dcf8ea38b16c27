import { readdirSync } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogRecord } from '#log';
import { hashFile, unfinished } from './files';
import { readSegment } from './segment-format';
import { SegmentWriter } from './segment-writer';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'nodeledger-segments-'));
  await mkdir(join(dir, 'tail'));
});
afterEach(() => rm(dir, { recursive: true }));

const record = (offset: number): LogRecord => ({
  ...{ partition: 0, offset, uuid: `u${offset}`, command: 'replace facts', version: 5, certname: 'a', receivedAt: 1 },
  ...{ encoding: 'identity' as const, payload: Buffer.from('{}') },
});

test('records of several batches are in one segment, until it is large enough', async () => {
  const writer = new SegmentWriter(dir, 'tail', 300);
  for (const offset of [1, 2, 3, 4]) await writer.add([record(offset)]);
  const segments = await writer.end();
  expect(segments).toMatchObject([
    { file: 'tail/p0-1-4.log', partition: 0, from: 1, to: 4, records: 3, last: 'u3' },
    { file: 'tail/p0-4-5.log', partition: 0, from: 4, to: 5, records: 1, last: 'u4' },
  ]);
  const read: LogRecord[] = [];
  for (const { file, bytes, sha256 } of segments) {
    expect(await hashFile(join(dir, file), new AbortController().signal)).toEqual({ bytes, sha256 });
    for await (const one of readSegment(join(dir, file), 0)) read.push(one);
  }
  expect(read).toEqual([1, 2, 3, 4].map(record));
});

test('the file that an interrupted backup left is not continued', async () => {
  await writeFile(join(dir, 'tail', `p0${unfinished}`), 'half a record');
  const writer = new SegmentWriter(dir, 'tail', 1);
  await writer.add([record(1)]);
  const [segment] = await writer.end();
  const { file, bytes, sha256 } = segment!;
  expect(await hashFile(join(dir, file), new AbortController().signal)).toEqual({ bytes, sha256 });
});

test('a segment is flushed before it gets its name', async () => {
  const handle = await open(dir, 'r');
  const fileHandle = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const atFlush: string[][] = [];
  const sync = jest.spyOn(fileHandle, 'sync').mockImplementation(async () => {
    atFlush.push(readdirSync(join(dir, 'tail')));
  });
  try {
    const writer = new SegmentWriter(dir, 'tail', 1);
    await writer.add([record(1)]);
  } finally {
    sync.mockRestore();
  }
  expect(atFlush).toEqual([[`p0${unfinished}`]]);
});
