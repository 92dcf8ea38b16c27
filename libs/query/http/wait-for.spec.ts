import { readWaitFor } from './wait-for';

const read = (value: string | string[]) => readWaitFor({ 'x-nodeledger-wait-for': value });

test('without the header there is nothing to wait for', () => expect(readWaitFor({})).toEqual([]));

test('positions, parted by commas or in headers of their own', () => {
  const two = [
    { partition: 3, offset: 1207 },
    { partition: 0, offset: 1 },
  ];
  expect(read('3-1207')).toEqual(two.slice(0, 1));
  expect(read('3-1207, 0-1')).toEqual(two);
  expect(read(['3-1207', '0-1'])).toEqual(two);
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

test('a list has its bounds', () => {
  expect(read(Array.from({ length: 1_024 }, (_, n) => `${n}-1`).join())).toHaveLength(1_024);
  expect(() => read(Array.from({ length: 1_025 }, () => '0-1').join())).toThrow(/names 1025 positions/);
});
