export type Step =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'match'; readonly pattern: string };

interface DottedName {
  readonly container: string;
  readonly steps: readonly Step[];
}

/**
 * Parses names such as `facts.os."a.b".disks[0].match("eth\d")`. Text that fits none of the forms is a key, so every
 * text is valid. Returns undefined for a name without a dot.
 */
export function readDottedName(name: string): DottedName | undefined {
  const dot = name.indexOf('.');
  if (dot < 0) return undefined;
  return { container: name.slice(0, dot), steps: readSteps(name.slice(dot + 1)) };
}

export function readSteps(text: string): Step[] {
  if (!/["[]/.test(text)) return text.split('.').map((key) => ({ kind: 'key', key }));
  const ends = findEnds(text);
  const steps: Step[] = [];
  for (let at = 0; ; at++) {
    const match = text.startsWith('match("', at) ? ends.ofMatch[at + 7]! : text.length;
    const quote = text[at] === '"' ? ends.ofQuote[at + 1]! : text.length;
    if (match < text.length) {
      steps.push({ kind: 'match', pattern: text.slice(at + 7, match) });
      at = match + 2;
    } else {
      const quoted = quote < text.length;
      const end = quoted ? quote : ends.ofKey[at]!;
      steps.push({ kind: 'key', key: text.slice(quoted ? at + 1 : at, end) });
      at = quoted ? end + 1 : end;
      for (; text[at] === '['; at = ends.ofIndex.get(at)!)
        steps.push({ kind: 'index', index: Number(text.slice(at + 1, ends.ofIndex.get(at)! - 1)) });
    }
    if (at >= text.length) return steps;
  }
}

/**
 * Positions at which a step of each form can end. For each position in the text, an array contains the first end at or
 * after this position, or the length of the text if there is none.
 */
interface Ends {
  readonly ofKey: Int32Array;
  readonly ofQuote: Int32Array;
  readonly ofMatch: Int32Array;
  /** Maps the position of the opening bracket of an index to the position after the closing bracket. */
  readonly ofIndex: ReadonlyMap<number, number>;
}

function findEnds(text: string): Ends {
  const { length } = text;
  const ofIndex = new Map<number, number>();
  for (const { index, 0: found } of text.matchAll(/\[\d+\]/g)) ofIndex.set(index, index + found.length);
  const [ofKey, ofQuote, ofMatch] = [0, 1, 2].map(() => new Int32Array(length + 1).fill(length)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  for (let at = length - 1; at >= 0; at--) {
    const after = ofIndex.get(at);
    const ends = text[at] === '.' || (after !== undefined && ofKey[after] === after);
    ofKey[at] = ends ? at : ofKey[at + 1]!;
    ofQuote[at] = text[at] === '"' && ofKey[at + 1] === at + 1 ? at : ofQuote[at + 1]!;
    const closes = text[at] === '"' && text[at + 1] === ')' && (at + 2 === length || text[at + 2] === '.');
    ofMatch[at] = closes ? at : ofMatch[at + 1]!;
  }
  return { ofKey, ofQuote, ofMatch, ofIndex };
}
