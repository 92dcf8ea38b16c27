import { defaultLimits } from '#limits';
import { checkSize } from './check-size';

test('every element counts for a character more than its text, because it is separated from the next', () => {
  const limits = { ...defaultLimits, queryText: 10 };
  const check = (elements: number): void =>
    checkSize(
      Array.from({ length: elements }, () => ''),
      limits,
    );
  expect(() => check(8)).not.toThrow();
  expect(() => check(9)).toThrow('at most 10 are allowed');
});
