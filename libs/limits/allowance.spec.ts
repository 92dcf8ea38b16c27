import { Allowance } from './allowance';

test('so many at once, then one after the other', () => {
  const allowance = new Allowance(10, 3);
  const waits = Array.from({ length: 6 }, () => {
    const wait = allowance.waitMs(1_000);
    allowance.take(1_000);
    return wait;
  });
  expect(waits).toEqual([0, 0, 0, 100, 200, 300]);
});

test('what was taken comes back with time, and no more than that', () => {
  const allowance = new Allowance(10, 3);
  for (let at = 0; at < 3; at++) allowance.take(1_000);
  expect([allowance.waitMs(1_000), allowance.waitMs(1_100)]).toEqual([100, 0]);
  expect([allowance.isWhole(1_299), allowance.isWhole(1_300)]).toEqual([false, true]);
  for (let at = 0; at < 3; at++) allowance.take(9_000);
  expect(allowance.waitMs(9_000)).toBe(100);
});

test('asking takes nothing', () => {
  const allowance = new Allowance(10, 1);
  for (let at = 0; at < 5; at++) expect(allowance.waitMs(0)).toBe(0);
  expect(allowance.isWhole(0)).toBe(true);
});
