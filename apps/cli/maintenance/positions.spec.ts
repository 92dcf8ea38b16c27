import { readPositions } from './positions';

test('offsets by partition', () => {
  expect([...readPositions('0-120, 3-44')]).toEqual([
    [0, 120],
    [3, 44],
  ]);
});

test.each(['', '0', '0-', '-5', '0-1-2', '0-1,', 'a-1', '0-1.5', '0-1,0-2', '0-9999999999999999'])(
  '%s is refused',
  (text) => expect(() => readPositions(text)).toThrow(/partition/),
);
