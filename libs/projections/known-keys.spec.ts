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

it('forgets the older half as soon as the younger one is full', () => {
  const known = new KnownKeys(10);
  for (let index = 0; index <= 94; index++) known.add(`key ${index}`);
  expect(Array.from({ length: 15 }, (_, n) => known.has(`key ${80 + n}`))).toEqual([
    ...Array<boolean>(10).fill(false),
    ...Array<boolean>(5).fill(true),
  ]);
});
