import { OwnCopies } from './own-copies';

test('long texts are copied and not remembered', () => {
  const copies = new OwnCopies();
  const long = 'x'.repeat(100_000);
  expect(copies.copy(long)).toBe(long);
  expect(copies.copy('/etc/motd.pp')).toBe('/etc/motd.pp');
  expect(copies.size).toBe(1);
});

test('the memory is emptied when it is full', () => {
  const copies = new OwnCopies();
  for (let index = 0; index < 10_000; index++) copies.copy(`file ${index}`);
  expect(copies.size).toBeLessThanOrEqual(2_000);
});
