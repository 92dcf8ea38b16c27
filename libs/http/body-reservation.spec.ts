import { BodyBudget } from './body-budget';
import { BodyReservation } from './body-reservation';

test('inflates nothing for a client that has left while it waited for memory', async () => {
  const budget = new BodyBudget(1_000);
  expect(budget.take('a', 1_000)).toBe(true);
  const left = new BodyReservation(budget, 'b');
  let inflations = 0;
  const waiting = left.inflated(400, () => Promise.resolve(inflations++));
  left.giveBack();
  budget.release('a', 1_000);
  await expect(waiting).rejects.toThrow('the client closed the connection');
  expect([inflations, budget.heldBytes]).toEqual([0, 0]);
});

test('keeps memory until the inflation ends, even if the client leaves before', async () => {
  const budget = new BodyBudget(1_000);
  const left = new BodyReservation(budget, 'a');
  await left.inflated(400, () => {
    left.giveBack();
    expect(budget.heldBytes).toBe(400);
    return Promise.resolve();
  });
  expect(budget.heldBytes).toBe(0);
});

test('takes nothing for a client that has left', () => {
  const budget = new BodyBudget(1_000);
  const left = new BodyReservation(budget, 'a');
  expect(left.take(10)).toBe(true);
  left.giveBack();
  expect(left.take(10)).toBe(false);
  expect(budget.heldBytes).toBe(0);
});
