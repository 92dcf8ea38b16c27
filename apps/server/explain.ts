import { isFault } from '#fault';

export function explain(error: unknown): string {
  if (isFault(error)) {
    const hint = error.hint === undefined ? '' : `\n${error.hint}`;
    return `nodeledger cannot start: ${error.message}${hint}`;
  }
  return `nodeledger cannot start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
