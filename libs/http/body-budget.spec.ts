import { BodyBudget } from './body-budget';
import { BodyMemory } from './body-memory';

test('an address takes half of the budget at most', () => {
  const budget = new BodyBudget(100);
  expect([budget.take('a', 30), budget.take('a', 20), budget.take('a', 1)]).toEqual([true, true, false]);
  expect(budget.heldBytes).toBe(50);
  budget.release('a', 50);
  expect([budget.heldBytes, budget.take('a', 40)]).toEqual([0, true]);
});

test('a quarter of the budget is left for addresses with an eighth of it or less', () => {
  const budget = new BodyBudget(100);
  expect([budget.take('a', 50), budget.take('b', 25), budget.take('b', 1)]).toEqual([true, true, false]);
  expect([budget.take('c', 13), budget.take('c', 12), budget.take('d', 12), budget.take('e', 2)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(budget.heldBytes).toBe(99);
});

test('a request releases all that its body has taken, and takes nothing after that', () => {
  const budget = new BodyBudget(1_000);
  const memory = new BodyMemory(budget, 'a');
  expect([memory.take(10), memory.take(20), budget.heldBytes]).toEqual([true, true, 30]);
  memory.release();
  expect([memory.take(10), budget.heldBytes]).toEqual([false, 0]);
});

test('a request takes nothing if the budget has no room', () => {
  const budget = new BodyBudget(100);
  const memory = new BodyMemory(budget, 'a');
  expect([memory.take(51), memory.take(50), budget.heldBytes]).toEqual([false, true, 50]);
  memory.release();
  expect(budget.heldBytes).toBe(0);
});
