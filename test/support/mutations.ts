/** Texts that are put into documents, because readers treat them specially. */
const tokens = [
  ...'{}[]":,\\ \n01-.eEtfnulab'.split(''),
  ...[
    '1.0',
    '-0',
    '0.10',
    '1e3',
    '1e999',
    '12345678901234567890',
    'null',
    'true',
    'false',
    '""',
    '[]',
    '{}',
    '{"a":1,"a":2}',
  ],
  ...[
    '"\\u0000"',
    '"\\ud800"',
    '\\u0061',
    '\\/',
    '\\n',
    '\u0001',
    'ü',
    '\u{1F600}',
    '"x":1,',
    '"x":[1],',
    ',',
    '[[[',
    '}}',
  ],
];

/** Returns a sequence of numbers from a seed: `next(n)` gives an integer from 0 to n - 1. */
export function seeded(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/**
 * Returns a document with one or two changes: an inserted token, a token instead of some characters, a piece that is
 * removed, repeated or moved, or one value of the document in the place of another.
 */
export function mutated(text: string, next: (n: number) => number): string {
  for (let left = 1 + next(2); left > 0; left--) {
    const at = next(text.length);
    const length = next(4) === 0 ? next(60) : next(3);
    const piece = text.slice(at, at + length);
    const token = tokens[next(tokens.length)] as string;
    const values = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|\[\]|\{\}/g)];
    const [one, other] = [values[next(values.length)], values[next(values.length)]];
    const replaced = (from: number, to: number, by: string): string => text.slice(0, from) + by + text.slice(to);
    switch (next(6)) {
      case 0:
        text = replaced(at, at + length, '');
        break;
      case 1:
        text = replaced(at, at, piece + token);
        break;
      case 2:
        text = replaced(at, at + length, token);
        break;
      case 3:
        if (one && other) text = replaced(one.index, one.index + one[0].length, other[0]);
        break;
      case 4:
        if (one) text = replaced(one.index, one.index + one[0].length, token);
        break;
      default:
        text = replaced(next(text.length), at, piece);
    }
  }
  return text;
}
