import { KeptBytes } from './kept-bytes';
import { KnownElements } from './known-elements';

test('remembers elements until they reach the bound, and still reads the others', () => {
  const bound = 10_000;
  const known = new KnownElements<number>(bound, new KeptBytes(), (text) => (JSON.parse(text) as { n: number }).n);
  const numbers = Array.from({ length: 200 }, (_, n) => n);
  const payload = Buffer.from(JSON.stringify(numbers.map((n) => ({ n, title: 'x'.repeat(100) }))));
  const values: number[] = [];
  expect(known.section(payload, 0, true, 1_000, values)).toBe(payload.length);
  expect(values).toEqual(numbers);
  const heaviest = 2_000;
  expect(known.weight).toBeGreaterThanOrEqual(bound);
  expect(known.weight).toBeLessThan(bound + heaviest);
});
