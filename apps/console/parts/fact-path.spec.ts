import { dotted, flatten } from './fact-path';

test('returns each value with its path, and maps and lists only if they are empty', () => {
  const value = { release: { major: '12' }, disks: [{ size: 1 }, {}], none: [] };
  expect(flatten(['os'], value, 100).map(({ path, value: leaf }) => [dotted(path), leaf])).toEqual([
    ['os.release.major', '12'],
    ['os.disks[0].size', 1],
    ['os.disks[1]', {}],
    ['os.none', []],
  ]);
});

test('stops at the limit, and quotes names that are no words', () => {
  expect(
    flatten(
      ['a'],
      Array.from({ length: 1000 }, (_, index) => index),
      10,
    ),
  ).toHaveLength(10);
  expect(dotted(['mountpoints', '/srv/a.b', 'size'])).toBe('mountpoints."/srv/a.b".size');
});
