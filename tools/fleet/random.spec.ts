import { Random } from './random';

describe('Random', () => {
  it('gives the same numbers for the same labels on every machine', () => {
    const random = Random.of('seed', 'node', 7);
    expect([random.uint32(), random.uint32(), random.hex(10), random.uuid()]).toMatchInlineSnapshot(`
     [
       886757243,
       523858162,
       "b5e0853168",
       "78c1f9ca-b1e3-453d-9bb7-6a19275e9535",
     ]
    `);
  });

  it.each([
    [['a', 'b'], ['ab']],
    [
      ['a', 1],
      ['a', '1'],
    ],
    [[1, 2], [12]],
    [
      ['', 'a'],
      ['a', ''],
    ],
  ])('tells the labels %j from %j', (one, other) => {
    expect(Random.of(...one).hex(32)).not.toBe(Random.of(...other).hex(32));
  });

  it('spreads neighbours evenly and without relation to each other', () => {
    const firsts = Array.from({ length: 20_000 }, (_, i) => Random.of('spread', i).fraction() - 0.5);
    const mean = firsts.reduce((sum, x) => sum + x, 0) / firsts.length;
    const variance = firsts.reduce((sum, x) => sum + x * x, 0) / firsts.length;
    const neighbours = firsts.slice(1).reduce((sum, x, i) => sum + x * (firsts[i] as number), 0) / firsts.length;
    expect(Math.abs(mean)).toBeLessThan(0.01);
    expect(variance).toBeCloseTo(1 / 12, 2);
    expect(Math.abs(neighbours / variance)).toBeLessThan(0.03);
  });

  it('keeps to its bounds', () => {
    const random = Random.of('bounds');
    const drawn = new Set(Array.from({ length: 500 }, () => random.between(3, 6)));
    expect([...drawn].sort()).toEqual([3, 4, 5, 6]);
    expect(random.sample([1, 2, 3], 5)).toEqual([1, 2, 3]);
    expect(random.sample([1, 2, 3], -1)).toEqual([]);
    expect(() => random.pick([])).toThrow(RangeError);
  });

  it('samples different items in their order', () => {
    const items = Array.from({ length: 50 }, (_, i) => i);
    const taken = Random.of('sample').sample(items, 20);
    expect(taken).toHaveLength(20);
    expect(taken).toEqual([...new Set(taken)].sort((a, b) => a - b));
  });
});
