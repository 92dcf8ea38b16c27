import fc from 'fast-check';
import { answerStyle, canonicalStyle, plainStyle, rewrite, storedStyle } from './rewrite';

const canonical = (text: string): string => rewrite(text, 0, canonicalStyle);

/** Reverses the order of keys in every object of a value. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([k, v]) => [k, turned(v)]),
  );
}

describe('rewrite', () => {
  // Leaves out values that JavaScript changes: it sorts keys that look like array indexes, and has one spelling for 0
  // and -0.
  const json = fc
    .jsonValue({ noUnicodeString: false })
    .filter((value) => !/"-?\d+":|-0[,\]}]|^-0$/.test(JSON.stringify(value)));

  it('keeps the value, whatever the white space and the order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonical(JSON.stringify(value));
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonical(text)).toBe(text);
        expect(canonical(JSON.stringify(turned(value), undefined, ' \n\t'))).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('sorts many keys as few, by UTF-16 unit, and the last of equal ones wins', () => {
    const keys = Array.from({ length: 60 }, (_, i) => `k${(i * 37) % 61}`);
    const text = canonical(`{${[...keys, 'k5'].map((key, i) => `"${key}":${i}`).join(' , ')}}`);
    expect(text).toBe(
      `{${[...keys]
        .sort()
        .map((key) => `"${key}":${key === 'k5' ? 60 : keys.indexOf(key)}`)
        .join()}}`,
    );
    expect(canonical('{"b":1,"a":{"y":1,"x":2},"b":3,"a":4}')).toBe('{"a":4,"b":3}');
    expect(canonical('{"\uffee":1,"😀":2,"a b":3,"a":4,"a!":5}')).toBe('{"a":4,"a b":3,"a!":5,"😀":2,"\uffee":1}');
    expect(canonical('{"\\u0062":1,"a":2,"b":3}')).toBe('{"a":2,"b":3}');
  });

  it('writes numbers and strings as each style wants them', () => {
    const sent = '[ 1.50 , 1e21,0.00012, -0.0 ,"a\\u0000\\/\\u001f\tb\\ud800","\\u00fc"]';
    expect(rewrite(sent, 0, canonicalStyle)).toBe('[1.5,1.0E21,1.2E-4,-0.0,"a\\u0000/\\u001F\\tb?","ü"]');
    expect(rewrite(sent, 0, storedStyle)).toBe('[1.5,1.0E21,1.2E-4,-0.0,"a\ufffd/\\u001F\\tb?","ü"]');
    expect(rewrite(sent, 0, plainStyle)).toBe('[1.5,1000000000000000000000,0.00012,0.0,"a\ufffd/\\u001F\\tb?","ü"]');
    expect(rewrite(sent, 0, answerStyle)).toBe('[1.5,1000000000000000000000,1.2E-4,0.0,"a\ufffd/\\u001F\\tb?","ü"]');
  });

  it('holds 1,000 levels', () => {
    const text = '[{"a":'.repeat(500) + '1' + '}]'.repeat(500);
    expect(canonical(text)).toBe(text);
  });
});
