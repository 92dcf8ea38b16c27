import fc from 'fast-check';
import { spellNumber, spellNumberInAnswers, spellNumberPlain } from './numbers';

/**
 * Each row contains a number in a document, its spelling in hashes and event values, its spelling in jsonb, and its
 * spelling in answers from /facts. The spellings are those of PuppetDB.
 */
const table: [string, string, string, string][] = [
  ['0', '0', '0', '0'],
  ['-0', '0', '0', '0'],
  ['-17', '-17', '-17', '-17'],
  [
    '123456789012345678901234567890',
    '123456789012345678901234567890',
    '123456789012345678901234567890',
    '123456789012345678901234567890',
  ],
  ['9007199254740993', '9007199254740993', '9007199254740993', '9007199254740993'],
  ['0e5', '0.0', '0.0', '0.0'],
  ['-0.0', '-0.0', '0.0', '0.0'],
  ['1.0', '1.0', '1.0', '1.0'],
  ['1.50', '1.5', '1.5', '1.5'],
  ['1e5', '100000.0', '100000.0', '100000.0'],
  ['1E+2', '100.0', '100.0', '100.0'],
  ['1e-2', '0.01', '0.01', '0.01'],
  ['0.001', '0.001', '0.001', '0.001'],
  ['0.00012', '1.2E-4', '0.00012', '1.2E-4'],
  ['1.0e-4', '1.0E-4', '0.00010', '1.0E-4'],
  ['1.5e-9', '1.5E-9', '0.0000000015', '1.5E-9'],
  ['9999999.5', '9999999.5', '9999999.5', '9999999.5'],
  ['1e7', '1.0E7', '10000000', '10000000'],
  ['12345678.0', '1.2345678E7', '12345678', '12345678'],
  ['12345678.5', '1.23456785E7', '12345678.5', '1.23456785E7'],
  ['-12345678.5', '-1.23456785E7', '-12345678.5', '-1.23456785E7'],
  ['1e21', '1.0E21', '1000000000000000000000', '1000000000000000000000'],
  ['9007199254740993.0', '9.007199254740992E15', '9007199254740992', '9007199254740992'],
  ['0.1000000000000000055', '0.1', '0.1', '0.1'],
  ['3.14159265358979312', '3.141592653589793', '3.141592653589793', '3.141592653589793'],
  ['1e-400', '0.0', '0.0', '0.0'],
  ['5e-324', '4.9E-324', `0.${'0'.repeat(323)}49`, '4.9E-324'],
];

describe('spelling of numbers', () => {
  it.each(table)('%s is %s, %s in jsonb, %s in answers', (sent, canonical, plain, answer) => {
    expect(spellNumber(sent)).toBe(canonical);
    expect(spellNumberPlain(sent)).toBe(plain);
    expect(spellNumberInAnswers(sent)).toBe(answer);
  });

  it('keeps the double, and spells its spelling alike', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        const sent = `${double.toExponential()}`;
        const spelt = spellNumber(sent);
        expect(Number(spelt)).toBe(double === 0 ? 0 : double);
        expect(spellNumber(spelt)).toBe(spelt);
        expect(Number(spellNumberPlain(sent))).toBe(double === 0 ? 0 : double);
        expect(spellNumberPlain(sent)).not.toMatch(/[eE]/);
      }),
    );
  });
});
