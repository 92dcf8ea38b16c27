import fc from 'fast-check';
import { decodeString, encodeString } from './strings';

describe('strings', () => {
  it.each([
    ['plain ü😀', 'plain ü😀'],
    ['a\\"b\\\\c\\/d', 'a"b\\c/d'],
    ['\\b\\f\\n\\r\\t', '\b\f\n\r\t'],
    ['\\u00e9\\uD83D\\ude00', 'é😀'],
    ['\\\\u0000', '\\u0000'],
    ['half \\ud800.', 'half ?.'],
    ['\\udc00\\ud800', '??'],
    ['\\u0000', '\0'],
  ])('%s is read', (inner, text) => {
    expect(decodeString(inner)).toBe(text);
  });

  it.each([
    ['plain ü😀\u007f\u2028/', '"plain ü😀\u007f\u2028/"'],
    ['"\\', '"\\"\\\\"'],
    ['\b\f\n\r\t', '"\\b\\f\\n\\r\\t"'],
    ['\0\u000b\u001f', '"\\u0000\\u000B\\u001F"'],
  ])('%j is written', (text, json) => {
    expect(encodeString(text)).toBe(json);
  });

  it('keeps surrogate pairs of long texts, wherever they are', () => {
    for (const before of [65_533, 65_534, 65_535]) {
      const pairs = `${'x'.repeat(before)}😀${'y'.repeat(before)}`;
      expect(decodeString(`\\ud800${pairs}`)).toBe(`?${pairs}`);
      expect(JSON.parse(encodeString(`\n${pairs}\n`))).toBe(`\n${pairs}\n`);
    }
  });

  it('reads what it writes, and JSON.parse agrees', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (a, b) => {
        const text = a + b;
        const json = encodeString(text);
        expect(JSON.parse(json)).toBe(text);
        expect(decodeString(json.slice(1, -1))).toBe(text);
      }),
    );
  });
});
