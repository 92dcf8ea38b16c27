import { type CodeAfter, Fault } from '#fault';

/** Makes the fault for an invalid query, with status 400 and the code `query.<code>`. */
export function malformed(
  code: CodeAfter<'query'>,
  message: string,
  { hint, ...rest }: { hint?: string | undefined; details?: unknown } = {},
): Fault {
  return new Fault('malformed', `query.${code}`, message, hint === undefined ? rest : { ...rest, hint });
}

export function enumerate(words: readonly string[]): string {
  if (words.length <= 2) return words.join(' and ');
  return `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`;
}
