import { BodyBudget } from './body-budget';
import { BodyReservation } from './body-reservation';

test('releases the memory that a request gets after its client has left', async () => {
  const budget = new BodyBudget(1_000);
  expect(budget.take('a', 1_000)).toBe(true);
  const left = new BodyReservation(budget, 'b');
  const waiting = left.reserve(400);
  left.giveBack();
  budget.release('a', 1_000);
  await waiting;
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
