import { isFault } from '#fault';
import { safeMessage } from '#observe';

/**
 * `error` means that a part of the service does not work. `warning` means that the part works now, but can lose data or
 * will fail soon.
 */
export type FindingLevel = 'ok' | 'warning' | 'error';

export interface Finding {
  /** Name of the check, such as `database`. */
  readonly check: string;
  readonly level: FindingLevel;
  /** Description of the result, as a sentence. */
  readonly text: string;
  /** Action that the user should take. */
  readonly remedy?: string;
}

export const failure = (check: string, error: unknown): Finding => ({
  check,
  level: 'error',
  text: safeMessage(error),
  ...(isFault(error) && error.hint !== undefined ? { remedy: error.hint } : {}),
});
