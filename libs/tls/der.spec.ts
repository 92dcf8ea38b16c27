import { derElement, derTag } from './der';

test('an element that ends before its length says is refused', () => {
  const whole = Buffer.from([derTag.sequence, 3, derTag.integer, 1, 7]);
  expect(derElement(whole).content).toEqual(whole.subarray(2));
  expect(() => derElement(whole.subarray(0, -1))).toThrow('an element is longer than what holds it');
});
