/** One step of a dotted name: a key of a map, an index of an array, or `match("...")`: any key that fits. */
export type Step =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'match'; readonly pattern: string };

export interface DottedName {
  /** What stands before the first dot. */
  readonly container: string;
  readonly steps: readonly Step[];
}

/**
 * Reads `facts.os."a.b".disks[0].match("eth\d")`: steps are parted by dots; a step in quotes may hold any character;
 * indexes follow a step in brackets. Undefined for a name without a dot. Nothing is an error: what has no special form
 * is a key as it stands.
 */
export function readDottedName(name: string): DottedName | undefined {
  const dot = name.indexOf('.');
  if (dot < 0) return undefined;
  return { container: name.slice(0, dot), steps: readSteps(name.slice(dot + 1)) };
}

/** The steps of what follows the container. */
export function readSteps(text: string): Step[] {
  const steps: Step[] = [];
  let at = 0;
  for (;;) {
    const found = take(/match\("([\s\S]*?)"\)(?=\.|$)/y, text, at);
    if (found) {
      steps.push({ kind: 'match', pattern: found.groups[0] ?? '' });
      at = found.end;
    } else {
      const quoted = take(/"([\s\S]*?)"((?:\[\d+\])*)(?=\.|$)/y, text, at);
      const plain = quoted ?? take(/([^.]*?)((?:\[\d+\])*)(?=\.|$)/y, text, at);
      const [key = '', indexes = ''] = plain?.groups ?? [];
      steps.push({ kind: 'key', key });
      for (const index of indexes.matchAll(/\d+/g)) steps.push({ kind: 'index', index: Number(index[0]) });
      at = plain?.end ?? text.length;
    }
    if (at >= text.length) return steps;
    at++;
  }
}

function take(shape: RegExp, text: string, at: number): { groups: string[]; end: number } | undefined {
  shape.lastIndex = at;
  const found = shape.exec(text);
  return found ? { groups: found.slice(1), end: shape.lastIndex } : undefined;
}
