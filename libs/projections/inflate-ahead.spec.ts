import { gzipSync } from 'node:zlib';
import { isFault } from '#fault';
import type { LogRecord } from '#log';
import { BatchMemory } from './batch-memory';
import { inflateAhead, unread } from './inflate-ahead';

const mega = 1_000_000;
let offset = 0;
const record = (payload: Buffer, encoding: LogRecord['encoding'] = 'gzip'): LogRecord => ({
  uuid: '00000000-0000-4000-8000-000000000000',
  command: 'replace facts',
  version: 5,
  certname: 'a',
  receivedAt: 0,
  encoding,
  payload,
  partition: 0,
  offset: offset++,
});
/** Two gzip members. The trailer of the last one says that the size is one byte. */
const lying = (bytes: number): Buffer => Buffer.concat([gzipSync(Buffer.alloc(bytes, 0x20)), gzipSync(' ')]);

async function given(
  records: readonly LogRecord[],
  { memory = 12 * mega, mostBytes = 20 * mega, refused = [] as readonly LogRecord[] } = {},
): Promise<unknown[]> {
  const found: unknown[] = [];
  const isRefused = (one: LogRecord): boolean => refused.includes(one);
  const share = new BatchMemory(1, memory).share();
  for await (const [one, payload] of inflateAhead(records, {
    memory: share,
    mostBytes,
    isRefused,
    isUnchanged: () => false,
  })) {
    expect(one).toBe(records[found.length]);
    found.push(Buffer.isBuffer(payload) ? payload.length : isFault(payload) ? payload.code : payload);
  }
  return found;
}

describe('inflateAhead', () => {
  it('ends where the room is full, whatever the payloads say of their size', async () => {
    const records = Array.from({ length: 50 }, () => record(lying(3 * mega)));
    expect(await given(records)).toEqual([3 * mega + 1, 3 * mega + 1, 3 * mega + 1]);
  });

  it('fills the room to the last byte', async () => {
    expect(await given(Array.from({ length: 5 }, () => record(lying(3 * mega - 1))))).toHaveLength(4);
    expect(await given(Array.from({ length: 5 }, () => record(Buffer.alloc(4 * mega), 'identity')))).toHaveLength(3);
  });

  it('gives the first payload also where it is larger than the room, and that alone', async () => {
    expect(await given([record(lying(15 * mega)), record(gzipSync('x'))])).toEqual([15 * mega + 1]);
    expect(await given([record(Buffer.alloc(15 * mega), 'identity'), record(gzipSync('x'))])).toEqual([15 * mega]);
  });

  it('ends where no byte is left, whatever the records before were', async () => {
    const bad = record(Buffer.from('no gzip'));
    const records = [record(lying(12 * mega - 1)), bad, bad, bad, record(gzipSync('x'))];
    expect(await given(records)).toEqual([12 * mega, 'wire.gzip', 'wire.gzip', 'wire.gzip']);
  });

  it('gives the fault of a payload that is larger than any may be, and of one that is damaged', async () => {
    const records = [record(gzipSync('x')), record(Buffer.from('no gzip')), record(gzipSync('y'))];
    expect(await given(records)).toEqual([1, 'wire.gzip', 1]);
    expect(await given([record(lying(3 * mega)), record(gzipSync('x'))], { mostBytes: mega })).toEqual([
      'wire.too-large',
      1,
    ]);
    const behind = [record(gzipSync('x')), record(lying(3 * mega)), record(gzipSync('y'))];
    expect(await given(behind, { mostBytes: mega })).toEqual([1, 'wire.too-large', 1]);
  });

  it('reads none that is refused anyway', async () => {
    const records = [record(lying(15 * mega)), record(Buffer.from('no gzip')), record(gzipSync('x'))];
    expect(await given(records, { refused: records.slice(0, 2) })).toEqual([unread, unread, 1]);
  });
});
