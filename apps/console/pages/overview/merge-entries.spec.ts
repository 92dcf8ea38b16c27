import { merged } from './merge-entries';

const entry = (id: string, minute: number): { id: string; received_at: string } => ({
  id,
  received_at: `2026-11-20T09:${String(minute).padStart(2, '0')}:00.000Z`,
});

test('merges entries, the newest first, each once, and no more than the limit', () => {
  const [a, b, c, d] = [entry('a', 1), entry('b', 2), entry('c', 3), entry('d', 4)];
  expect(merged([d, b], [c, b, a], 9)).toEqual([d, c, b, a]);
  expect(merged([d, b], [c, b, a], 2)).toEqual([d, c]);
  const newer = { ...b, seen: 2 };
  expect(merged([newer], [{ ...b, seen: 1 }], 9)).toEqual([newer]);
});
