import fc from 'fast-check';
import { readStrictTime, readTime, timeOfEpoch } from './times';

/**
 * Each row contains a time in a document, the result for reports, and the result for other commands. The results are
 * those of PuppetDB.
 */
const table: [string, string | undefined, string | undefined][] = [
  ['2024-05-05T05:05:05.123Z', '2024-05-05T05:05:05.123Z', '2024-05-05T05:05:05.123Z'],
  ['2024-05-05T05:05:05.123456789Z', '2024-05-05T05:05:05.123Z', '2024-05-05T05:05:05.123Z'],
  ['2024-05-05T05:05:05.9999Z', '2024-05-05T05:05:05.999Z', '2024-05-05T05:05:05.999Z'],
  ['2024-05-05T05:05:05.1+02:00', '2024-05-05T03:05:05.100Z', '2024-05-05T03:05:05.100Z'],
  ['2024-05-05T05:05:05+02', '2024-05-05T03:05:05.000Z', '2024-05-05T03:05:05.000Z'],
  ['2024-05-05t05:05:05z', '2024-05-05T05:05:05.000Z', '2024-05-05T05:05:05.000Z'],
  ['2024-05-05T05:05:05-00:00', '2024-05-05T05:05:05.000Z', '2024-05-05T05:05:05.000Z'],
  ['2024-05-05T05:05:05+14:00', '2024-05-04T15:05:05.000Z', '2024-05-04T15:05:05.000Z'],
  ['2024-05-05T05:05:05.000+02:00:30', '2024-05-05T03:04:35.000Z', '2024-05-05T03:04:35.000Z'],
  ['2024-02-29T23:59:59-23:59', '2024-03-01T23:58:59.000Z', '2024-03-01T23:58:59.000Z'],
  ['2024-05-05T05:05:05+0230', undefined, '2024-05-05T02:35:05.000Z'],
  ['2024-05-05T05:05:05', undefined, '2024-05-05T05:05:05.000Z'],
  ['2024-05-05T05:05', undefined, '2024-05-05T05:05:00.000Z'],
  ['2024-05-05T05', undefined, '2024-05-05T05:00:00.000Z'],
  ['2024-05-05', undefined, '2024-05-05T00:00:00.000Z'],
  ['2024-05', undefined, '2024-05-01T00:00:00.000Z'],
  ['2024', undefined, '2024-01-01T00:00:00.000Z'],
  ['20240505T050505Z', undefined, '2024-05-05T05:05:05.000Z'],
  ['20240505', undefined, '2024-05-05T00:00:00.000Z'],
  ['2024-W18-7', undefined, '2024-05-05T00:00:00.000Z'],
  ['2024-126', undefined, '2024-05-05T00:00:00.000Z'],
  ['2023-366', undefined, undefined],
  ['2024-05-05 05:05:05', undefined, '2024-05-05T05:05:05.000Z'],
  ['2024-05-05T05:05:05,5Z', undefined, '2024-05-05T05:05:05.500Z'],
  ['2024-05-05T05:05.5Z', undefined, '2024-05-05T05:05:30.000Z'],
  ['2024-5-5T5:5:5Z', undefined, '2024-05-05T05:05:05.000Z'],
  ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  // PuppetDB accepts the following times (docs/differences.md).
  ['10000-01-01T00:00:00Z', undefined, undefined],
  ['9999-12-31T23:59:59-01:00', undefined, undefined],
  ['0001-01-01T00:00:00+01:00', undefined, undefined],
  ['0000-01-01T00:00:00Z', undefined, undefined],
  ['2024-05-05T24:00:00Z', undefined, undefined],
  ['2024-05-05T24:00:00.000Z', undefined, undefined],
  ['2024-05-05T05:05:60Z', undefined, undefined],
  ['2024-05-05T05:60:00.000Z', undefined, undefined],
  ['2024-02-30T00:00:00Z', undefined, undefined],
  ['2023-02-29T00:00:00.000Z', undefined, undefined],
  ['2024-13-01T00:00:00.000Z', undefined, undefined],
  ['2024-05-05T05:05:05.Z', undefined, undefined],
  ['2024-05-05T05:05:05+24:00', undefined, undefined],
  ['2024-05-05T05:05:05 +0200', undefined, undefined],
  ['2024-05-05T05:05:05.123 UTC', undefined, undefined],
  [' 2024-05-05T05:05:05Z', undefined, undefined],
  ['2024-05-05T05:05:05Z\n', undefined, undefined],
  ['1714885505000', undefined, undefined],
  ['May 5, 2024', undefined, undefined],
  ['', undefined, undefined],
];

describe('times', () => {
  it.each(table)('%j: %s in reports, %s elsewhere', (text, strict, loose) => {
    expect(readStrictTime(text)).toBe(strict);
    expect(readTime(text)).toBe(loose);
  });

  it('agrees with Date on every moment', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const text = date.toISOString();
          expect(readStrictTime(text)).toBe(text);
          expect(readTime(text.replace('Z', '456+00:00'))).toBe(text);
          expect(timeOfEpoch(date.getTime())).toBe(text);
        },
      ),
    );
  });

  it.each([
    [1714885505000, '2024-05-05T05:05:05.000Z'],
    [-5, '1969-12-31T23:59:59.995Z'],
    [99999999999999, '5138-11-16T09:46:39.999Z'],
    [253402300799999, '9999-12-31T23:59:59.999Z'],
    [253402300800000, undefined],
    [9223372036854775807, undefined],
    [-99999999999999, undefined],
  ])('%d ms since 1970 is %s', (ms, time) => {
    expect(timeOfEpoch(ms)).toBe(time);
  });
});
