import { QueueBudget, type QueueShare } from './queue-budget';

/** Takes bytes until the budget refuses. Returns how many bytes it got. */
function fill(share: QueueShare, bytes: number): number {
  for (let count = 0; ; count++) if (!share.take(bytes)) return count;
}

describe('QueueBudget', () => {
  it('gives all to a queue that has no others', () => {
    const share = new QueueBudget({ bytes: 1_000 }).share();
    expect(fill(share, 10)).toBe(100);
    share.giveBack(10);
    expect(fill(share, 10)).toBe(1);
  });

  it.each([1, 2, 3, 11])('leaves the others some space where %d of 12 take all that they can', (stuck) => {
    const budget = new QueueBudget({ bytes: 1_200_000 });
    const shares = Array.from({ length: 12 }, () => budget.share());
    const greedy = shares.slice(0, stuck);
    // The shares take bytes in turn until the budget refuses all of them.
    while (greedy.filter((share) => share.take(100)).length > 0);
    const last = shares.at(-1) as QueueShare;
    const free = 12_000 / (2 * stuck + 1);
    expect(fill(last, 100)).toBeGreaterThanOrEqual(Math.floor((free * 2) / 3) - 1);
  });

  it('bounds the number as well', () => {
    const budget = new QueueBudget({ appends: 100 });
    const [first, second] = [budget.share(), budget.share()];
    expect(fill(first, 0)).toBe(66);
    expect(fill(second, 0)).toBe(22);
  });

  it('takes one that is larger than the budget where nothing else waits, and no second one', () => {
    const budget = new QueueBudget({ bytes: 100 });
    const [first, second] = [budget.share(), budget.share()];
    expect(first.take(500)).toBe(true);
    expect(second.take(1)).toBe(false);
    first.giveBack(500);
    expect(second.take(500)).toBe(true);
  });

  it('bounds 64 MB and 50,000 appends where nothing is said', () => {
    expect(fill(new QueueBudget().share(), 1 << 20)).toBe(64);
    expect(fill(new QueueBudget().share(), 0)).toBe(50_000);
  });

  it('gives one of several queues twice what is left free, to the last byte', () => {
    const budget = new QueueBudget({ bytes: 300 });
    const [first, second] = [budget.share(), budget.share()];
    expect(fill(first, 1)).toBe(200);
    // 100 bytes are left. The share gets 66, which is less than twice the 34 that stay free.
    expect(fill(second, 1)).toBe(66);
    first.giveBack(1);
    expect(first.take(1)).toBe(false);
    second.giveBack(1);
    expect(fill(second, 1)).toBe(2);
  });

  it('gives a queue that holds nothing what is free, though it be more than twice what stays', () => {
    const budget = new QueueBudget({ bytes: 100 });
    const [first, second] = [budget.share(), budget.share()];
    expect(first.take(10)).toBe(true);
    expect(second.take(91)).toBe(false);
    expect(second.take(90)).toBe(true);
  });

  it('takes one larger than the budget only where nothing at all waits', () => {
    const budget = new QueueBudget({ bytes: 100 });
    const share = budget.share();
    expect(share.take(1)).toBe(true);
    expect(share.take(100)).toBe(false);
    share.giveBack(1);
    expect(share.take(101)).toBe(true);
    expect(share.take(0)).toBe(false);
    share.giveBack(101);
    expect(fill(share, 10)).toBe(10);
  });

  it('counts appends of no bytes', () => {
    const budget = new QueueBudget({ appends: 2 });
    const share = budget.share();
    expect([share.take(0), share.take(0), share.take(0)]).toEqual([true, true, false]);
    share.giveBack(0);
    expect(share.take(0)).toBe(true);
  });
});
