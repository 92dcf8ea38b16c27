import { copyBaseRecords, copyRecords } from './read-statements';

const limits = { maxRecords: 10, maxBytes: 1_000 };

test.each([1.5, NaN, Infinity, 2 ** 53])('no number but a whole one becomes text of a statement: %d', (number) => {
  expect(() => copyRecords(new Map([[0, number]]), limits)).toThrow(RangeError);
  expect(() => copyRecords(new Map([[number, 1]]), limits)).toThrow(RangeError);
  expect(() => copyRecords(new Map([[0, 1]]), { ...limits, maxBytes: number })).toThrow(RangeError);
  expect(() => copyBaseRecords(1, new Map([[0, number]]), new Map([[0, 1]]), limits)).toThrow(RangeError);
  expect(copyRecords(new Map([[0, 1]]), limits)).toContain('(0, 1::bigint)');
});
