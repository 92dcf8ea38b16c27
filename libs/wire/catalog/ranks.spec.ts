import { seeded } from '../../../test/support/mutations';
import { resourceKey } from '../identity/catalog';
import { distinctEdges, RankedNames, sortedEdges, sortedResources } from './ranks';

const next = seeded(11);
const names = [...new Set(Array.from({ length: 3_000 }, () => `${next(40)} ${next(500)}`))].map((text, number) => {
  const [type, title] = text.split(' ') as [string, string];
  return { number, type, title, key: resourceKey(type, title) };
});
type Named = (typeof names)[number];
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byTitle = (a: Named, b: Named): number => compare(a.title, b.title) || compare(a.type, b.type);
const byType = (a: Named, b: Named): number => compare(a.type, b.type) || compare(a.title, b.title);

describe('ranks of names', () => {
  it('have both orders, however many names come at once', () => {
    const ranked = new RankedNames();
    for (let count = 0; count < names.length;) {
      const more = names.slice(count, count + 1 + next(400));
      for (const name of more) ranked.add(name);
      count += more.length;
      const ranks = ranked.ranks();
      const known = names.slice(0, count);
      for (const [order, compared] of [
        [ranks.byTitle, byTitle],
        [ranks.byType, byType],
      ] as const)
        expect(known.slice().sort((a, b) => order[a.number]! - order[b.number]!)).toEqual(known.slice().sort(compared));
    }
  });

  it.each([
    ['numbers that a double holds', 1],
    ['numbers that it does not hold', 2_000],
  ])('sort edges and resources with %s', (_, factor) => {
    const ranked = new RankedNames();
    for (const name of names) ranked.add(name);
    const { byType: ranks } = ranked.ranks();
    // Ranks that are far apart are in the same order, and their products are too large.
    const order = new Int32Array(ranks.length * factor);
    for (const { number } of names) order[number] = ranks[number]! * factor;
    const some = (): Named => names[next(30)]!;
    const edges = Array.from({ length: 2_000 }, () => ({ source: some(), target: some(), relationship: next(3) }));
    const whole = new Map(
      edges.map((edge) => [`${edge.source.number} ${edge.target.number} ${edge.relationship}`, edge]),
    );
    const expected = [...whole.values()].sort(
      (a, b) => byType(a.source, b.source) || byType(a.target, b.target) || a.relationship - b.relationship,
    );
    expect(expected.length).toBeLessThan(edges.length);
    expect(distinctEdges(sortedEdges(edges, order))).toEqual(expected);

    const resources = names.slice(0, 700).map((named) => ({ named }));
    expect(sortedResources(resources, order).map(({ named }) => named)).toEqual(names.slice(0, 700).sort(byType));
  });
});
