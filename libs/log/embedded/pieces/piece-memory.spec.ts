import { PieceMemory } from './piece-memory';

test('forgets the pieces that were not used since half of the memory was filled', () => {
  // An entry takes the 10 bytes of its piece and 500 more.
  const memory = new PieceMemory(4 * 510);
  const piece = Buffer.alloc(10);
  for (const name of ['a', 'b', 'c']) memory.set(name, piece);
  expect(memory.get('a')).toBe(piece);
  for (const name of ['d', 'e']) memory.set(name, piece);
  expect(memory.get('b')).toBeUndefined();
  expect(memory.get('a')).toBe(piece);
});
