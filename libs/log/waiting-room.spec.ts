import { WaitingRoom, type WaitingShare } from './waiting-room';

/** Takes until it is refused; says how many. */
function fill(share: WaitingShare, bytes: number): number {
  for (let count = 0; ; count++) if (!share.take(bytes)) return count;
}

describe('WaitingRoom', () => {
  it('gives all to a queue that has no others', () => {
    const share = new WaitingRoom({ bytes: 1_000 }).share();
    expect(fill(share, 10)).toBe(100);
    share.giveBack(10);
    expect(fill(share, 10)).toBe(1);
  });

  it.each([1, 2, 3, 11])('leaves the others some room where %d of 12 take all that they can', (stuck) => {
    const room = new WaitingRoom({ bytes: 1_200_000 });
    const shares = Array.from({ length: 12 }, () => room.share());
    const greedy = shares.slice(0, stuck);
    // In turn, as they come, until nobody gets any more.
    while (greedy.filter((share) => share.take(100)).length > 0);
    const last = shares.at(-1) as WaitingShare;
    const free = 12_000 / (2 * stuck + 1);
    expect(fill(last, 100)).toBeGreaterThanOrEqual(Math.floor((free * 2) / 3) - 1);
  });

  it('bounds the number as well', () => {
    const room = new WaitingRoom({ appends: 100 });
    const [first, second] = [room.share(), room.share()];
    expect(fill(first, 0)).toBe(66);
    expect(fill(second, 0)).toBe(22);
  });

  it('takes one that is larger than the room where nothing else waits, and no second one', () => {
    const room = new WaitingRoom({ bytes: 100 });
    const [first, second] = [room.share(), room.share()];
    expect(first.take(500)).toBe(true);
    expect(second.take(1)).toBe(false);
    first.giveBack(500);
    expect(second.take(500)).toBe(true);
  });
});
