import { type CodeAfter, Fault } from '#fault';

/** Makes the fault with status 400 for an invalid query. The code of the fault is `query.` followed by `code`. */
export function malformed(
  code: CodeAfter<'query'>,
  message: string,
  { hint, ...rest }: { hint?: string | undefined; details?: unknown } = {},
): Fault {
  return new Fault('malformed', `query.${code}`, message, hint === undefined ? rest : { ...rest, hint });
}

/** Joins words for a sentence: `a`, `a and b`, or `a, b, and c`. */
export function enumerate(words: readonly string[]): string {
  if (words.length <= 2) return words.join(' and ');
  return `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`;
}
