import { BodyBudget } from './body-budget';

test('an address takes half of the budget at most, all addresses together three quarters', () => {
  const budget = new BodyBudget(100);
  expect([budget.take('a', 30), budget.take('a', 20), budget.take('a', 1)]).toEqual([true, true, false]);
  expect([budget.take('b', 25), budget.take('b', 1)]).toEqual([true, false]);
  expect(budget.take('c', 20)).toBe(false);
  budget.release('a', 50);
  expect(budget.take('c', 20)).toBe(true);
  expect(budget.heldBytes).toBe(45);
});

test('the last quarter is for those who hold little', () => {
  const budget = new BodyBudget(100);
  expect([budget.take('a', 40), budget.take('b', 35)]).toEqual([true, true]);
  expect([budget.take('a', 10), budget.take('c', 13), budget.take('c', 12), budget.take('d', 12)]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(budget.take('e', 12)).toBe(false);
});

test('who holds nothing may take more than its share where nobody holds anything, or it could never begin', () => {
  const budget = new BodyBudget(100);
  expect(budget.take('c', 500)).toBe(true);
  expect(budget.take('d', 1)).toBe(false);
});

test('a reservation waits for room, those that fit go first come, first served', async () => {
  const budget = new BodyBudget(100);
  const release = await budget.reserve('a', 60);
  const order: string[] = [];
  const second = budget.reserve('b', 60).then((done) => (order.push('b'), done));
  const third = budget.reserve('c', 60).then((done) => (order.push('c'), done));
  await Promise.resolve();
  expect(order).toEqual([]);
  release();
  release();
  const releaseSecond = await second;
  expect(order).toEqual(['b']);
  releaseSecond();
  (await third)();
  expect(budget.heldBytes).toBe(0);
});

test('a reservation that finds no room in time is refused, and leaves nothing behind', async () => {
  jest.useFakeTimers();
  try {
    const budget = new BodyBudget(100);
    const release = await budget.reserve('a', 100);
    const late = budget.reserve('b', 10);
    const refused = expect(late).rejects.toMatchObject({ kind: 'busy', code: 'http.crowded' });
    jest.advanceTimersByTime(5_001);
    await refused;
    release();
    expect(budget.heldBytes).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});
