import { isFault } from '#fault';

/** Returns the message for a failed start: what happened, then what to do. */
export function explain(error: unknown): string {
  if (isFault(error)) {
    const hint = error.hint === undefined ? '' : `\n${error.hint}`;
    return `nodeledger cannot start: ${error.message}${hint}`;
  }
  return `nodeledger cannot start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
