import { Database, PositionWaits } from '#database';
import { readWaitFor, waitUntilPassed } from './wait-for';

const read = (value: string | string[]) => readWaitFor({ 'x-nodeledger-wait-for': value });

test('without the header there is nothing to wait for', () => expect(readWaitFor({})).toEqual([]));

test('positions, separated by commas or in headers of their own', () => {
  const two = [
    { partition: 3, offset: 1207 },
    { partition: 0, offset: 1 },
  ];
  expect(read('3-1207')).toEqual(two.slice(0, 1));
  expect(read('3-1207, 0-1')).toEqual(two);
  expect(read(['3-1207', '0-1'])).toEqual(two);
});

test('uses the newest position of each partition', () => {
  expect(read('3-1207, 0-1, 3-1300, 3-12, 0-1')).toEqual([
    { partition: 3, offset: 1300 },
    { partition: 0, offset: 1 },
  ]);
});

test('refuses too many waits with a Retry-After', async () => {
  const waits = new PositionWaits(new Database({ connectionString: 'postgres://nobody@127.0.0.1:1/none' }), {
    waits: 0,
    positions: 0,
  });
  const { signal } = new AbortController();
  await expect(waitUntilPassed(read('3-1207'), waits, { timeoutMs: 10, signal, address: 'a' })).rejects.toMatchObject({
    kind: 'busy',
    code: 'query.crowded',
    details: { retryAfterSeconds: 5 },
  });
});

test.each([
  '',
  ',',
  '3',
  '3-',
  '-3',
  '3:1207',
  '3-1207,',
  '3-1207 0-1',
  'a-b',
  '99999-1',
  '1-9999999999999999',
  '1--2',
])('%j is refused, with what is right', (value) => {
  let refused: unknown;
  try {
    read(value);
  } catch (error) {
    refused = error;
  }
  expect(refused).toMatchObject({ kind: 'malformed', hint: expect.stringContaining('such as 3-1207') as string });
});

test('refuses a list with too many positions', () => {
  expect(read(Array.from({ length: 1_024 }, (_, n) => `${n}-1`).join())).toHaveLength(1_024);
  expect(() => read(Array.from({ length: 1_025 }, () => '0-1').join())).toThrow(/names 1025 positions/);
});
