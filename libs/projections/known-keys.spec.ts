import { KnownKeys } from './known-keys';

it('remembers what is used and forgets the rest when it is full', () => {
  const known = new KnownKeys(10);
  known.add('kept');
  for (let index = 0; index < 100; index++) {
    known.add(`key ${index}`);
    expect(known.has('kept')).toBe(true);
  }
  expect(known.has('key 99')).toBe(true);
  expect(known.has('key 0')).toBe(false);
});
