import { isFault } from '#fault';
import { safeMessage } from '#observe';

/** `warning`: works, but data can be lost or something will fail soon. `error`: does not work. */
export type FindingLevel = 'ok' | 'warning' | 'error';

/** One result of a check. */
export interface Finding {
  /** Name of the check, such as `database`. */
  readonly check: string;
  readonly level: FindingLevel;
  /** A sentence. */
  readonly text: string;
  /** What to do. */
  readonly remedy?: string;
}

/** Returns the finding for a check that failed. */
export const failure = (check: string, error: unknown): Finding => ({
  check,
  level: 'error',
  text: safeMessage(error),
  ...(isFault(error) && error.hint !== undefined ? { remedy: error.hint } : {}),
});
