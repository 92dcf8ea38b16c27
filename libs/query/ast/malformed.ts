import { type CodeAfter, Fault } from '#fault';

/** Fault for a query that cannot be run: status 400, with `code` after `query.`. */
export function malformed(
  code: CodeAfter<'query'>,
  message: string,
  { hint, ...rest }: { hint?: string | undefined; details?: unknown } = {},
): Fault {
  return new Fault('malformed', `query.${code}`, message, hint === undefined ? rest : { ...rest, hint });
}

/** Joins words: `a`, `a and b`, `a, b, and c`. */
export function enumerate(words: readonly string[]): string {
  if (words.length <= 2) return words.join(' and ');
  return `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`;
}
