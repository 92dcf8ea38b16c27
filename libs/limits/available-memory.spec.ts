import { availableMemory } from './available-memory';

test.each([
  ['no limit', 0, 8e9, 8e9],
  ['a limit below the memory', 1e9, 8e9, 1e9],
  ['the largest number, for no limit', 2 ** 64, 8e9, 8e9],
])('%s', (_, constrained, total, expected) => {
  expect(availableMemory(constrained, total)).toBe(expected);
});
