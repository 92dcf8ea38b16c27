import { type CodeAfter, Fault, nearest } from '#fault';
import type { AstJson } from './json';

/** Makes the fault for an invalid query, with status 400 and the code `query.<code>`. */
export function malformed(
  code: CodeAfter<'query'>,
  message: string,
  { hint, ...rest }: { hint?: string | undefined; details?: unknown } = {},
): Fault {
  return new Fault('malformed', `query.${code}`, message, hint === undefined ? rest : { ...rest, hint });
}

/** Returns a hint with the known word that is most similar to `word`, or the hint `otherwise` if none is similar. */
export function meantHint(
  word: AstJson | undefined,
  known: readonly string[],
  otherwise?: string,
): { hint?: string | undefined } {
  const meant = typeof word === 'string' ? nearest(word, known) : undefined;
  return { hint: meant === undefined ? otherwise : `Did you mean '${meant}'?` };
}

export function enumerate(words: readonly string[]): string {
  if (words.length <= 2) return words.join(' and ');
  return `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`;
}
