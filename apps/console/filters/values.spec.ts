import { decodeValues, encodeValues } from './values';

test.each([
  [['Debian']],
  [['Debian', 'Ubuntu']],
  [[true]],
  [[12, '12']],
  [['']],
  [['[x']],
  [['a,b']],
  [[null]],
  [[{ a: [1] }]],
])('reads what it wrote: %j', (values) => {
  expect(decodeValues(encodeValues(values))).toEqual(values);
});

test('a single text stands in the address as people would write it', () => {
  expect(encodeValues(['Debian'])).toBe('Debian');
  expect(decodeValues('[broken')).toEqual(['[broken']);
});
