import fc from 'fast-check';
import { isFault } from '#fault';
import { JsonScan, maxDepth, maxNumberDigits, trait } from './scan';

const codeOf = (text: string): string => {
  try {
    new JsonScan(text).skip(0);
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return 'fine';
};
const traitsOf = (text: string): number => {
  const scan = new JsonScan(text);
  scan.skip(0);
  return scan.traits;
};
const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('JsonScan', () => {
  it('accepts what JSON.stringify writes, and ends behind it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t', '\n \r'), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        expect(new JsonScan(` ${text} tail`).skip(0)).toBe(text.length + 1);
      }),
      { numRuns: 300 },
    );
  });

  it('agrees with JSON.parse on damaged texts, control characters in strings apart', () => {
    const damage = fc.record({
      value: fc.jsonValue({ maxDepth: 3 }),
      at: fc.nat(),
      cut: fc.nat({ max: 2 }),
      insert: fc.constantFrom(
        '',
        '"',
        '\\',
        ',',
        ':',
        '{',
        '}',
        '[',
        ']',
        '0',
        '-',
        '.',
        'e',
        'u',
        't',
        'null',
        ' ',
        '\u00a0',
      ),
    });
    fc.assert(
      fc.property(damage, ({ value, at, cut, insert }) => {
        const whole = JSON.stringify({ a: value });
        const place = at % (whole.length + 1);
        const text = whole.slice(0, place) + insert + whole.slice(place + cut);
        let complete: boolean;
        try {
          const scan = new JsonScan(text);
          complete = scan.space(scan.skip(0)) === text.length;
        } catch (error) {
          if (!isFault(error)) throw error;
          // A number may become larger than any double. JSON.parse then returns Infinity.
          if (error.code === 'wire.number') return;
          complete = false;
        }
        expect(complete).toBe(parses(text));
      }),
      { numRuns: 1500 },
    );
  });

  it.each([
    ['', 'wire.json'],
    ['nul', 'wire.json'],
    ['True', 'wire.json'],
    ['NaN', 'wire.json'],
    ['01', 'fine'], // the value 0, then more text
    ['-', 'wire.json'],
    ['+1', 'wire.json'],
    ['.5', 'wire.json'],
    ['1.', 'wire.json'],
    ['1e', 'wire.json'],
    ['1e+', 'wire.json'],
    ['[1,]', 'wire.json'],
    ['[01]', 'wire.json'],
    ['{"a":1,}', 'wire.json'],
    ['{a:1}', 'wire.json'],
    ["{'a':1}", 'wire.json'],
    ['{"a" 1}', 'wire.json'],
    ['[1}', 'wire.json'],
    ['["a', 'wire.json'],
    ['"a\\x41"', 'wire.json'],
    ['"a\\u00g0"', 'wire.json'],
    ['"a\\', 'wire.json'],
    ['[1/*x*/]', 'wire.json'],
    ['\ufeff1', 'wire.json'],
    ['[\f1]', 'wire.json'],
    ['"tab\there"', 'fine'],
    ['1e308', 'fine'],
    ['1e309', 'wire.number'],
    ['-1e400', 'wire.number'],
    ['1e200000', 'wire.number'],
    ['1e-200000', 'fine'],
    ['0e999999', 'fine'],
    [`${'9'.repeat(310)}.5`, 'wire.number'],
    ['9'.repeat(maxNumberDigits), 'fine'],
    ['9'.repeat(maxNumberDigits + 1), 'wire.number'],
    [`0.${'9'.repeat(maxNumberDigits)}`, 'wire.number'],
    ['['.repeat(maxDepth) + ']'.repeat(maxDepth), 'fine'],
    ['['.repeat(maxDepth + 1) + ']'.repeat(maxDepth + 1), 'wire.limit'],
    ['{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), 'wire.limit'],
    ['['.repeat(1_000_000), 'wire.limit'],
  ])('%.40s: %s', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('names the place and what was expected', () => {
    expect(() => new JsonScan('{"a":[1 2]}').skip(0)).toThrow(
      "Not JSON: ',' or ']' was expected at offset 8, found the character U+0032.",
    );
    expect(() => new JsonScan('{"a"').skip(0)).toThrow("':' was expected at offset 4, found the end of the text");
  });

  it('counts the levels that already enclose the value', () => {
    expect(() => new JsonScan('[[]]').skip(0, maxDepth - 2)).not.toThrow();
    expect(() => new JsonScan('[[]]').skip(0, maxDepth - 1)).toThrow('more than 1000 levels of nesting');
  });

  it.each([
    ['{"a":["b",1,-12,123456789012345678901234567890,true,null]}', 0],
    ['"a\\nb"', trait.escape],
    ['"a\nb"', trait.escape],
    ['1.0', trait.respelt],
    ['1e2', trait.respelt],
    ['-0', trait.respelt],
    ['{"a\\u0000":1}', trait.escape | trait.nulKey],
    ['{"a\\u0001":1}', trait.escape],
    ['{"a":"\\u0000"}', trait.escape],
  ])('%s has the traits %d', (text, traits) => {
    expect(traitsOf(text)).toBe(traits);
  });
});
