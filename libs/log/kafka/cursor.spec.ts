import { gzipSync } from 'node:zlib';
import { contiguous } from './cursor';
import type { ReadMessage } from './record-message';

const message = (offset: number, value: Buffer, stored?: string): ReadMessage => ({
  offset: String(offset),
  value,
  headers: stored === undefined ? {} : { stored: Buffer.from(stored) },
});

test('a slice ends before 2 MB of inflated payloads, but has at least one message', () => {
  const deflated = gzipSync(Buffer.alloc(1_500_000));
  const messages = [0, 1, 2].map((offset) => message(offset, deflated, 'gzip'));
  expect(contiguous(messages)).toHaveLength(1);
  expect(contiguous(messages.map(({ offset, value }) => message(Number(offset), value!)))).toHaveLength(3);
  expect(contiguous([message(0, gzipSync(Buffer.alloc(5_000_000)), 'gzip')])).toHaveLength(1);
});

test('a slice ends at a gap', () => {
  const small = Buffer.from('{}');
  expect(contiguous([message(4, small), message(5, small), message(7, small)])).toHaveLength(2);
});
