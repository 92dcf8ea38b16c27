import { isFault } from '#fault';
import { safeMessage } from '#observe';

/**
 * `error` means that a part of the service does not work. `warning` means that the part works now, but can lose data or
 * will fail soon.
 */
export type FindingLevel = 'ok' | 'warning' | 'error';

export interface Finding {
  readonly check: string;
  readonly level: FindingLevel;
  readonly text: string;
  readonly remedy?: string;
}

export const failure = (check: string, error: unknown): Finding => ({
  check,
  level: 'error',
  text: safeMessage(error),
  ...(isFault(error) && error.hint !== undefined ? { remedy: error.hint } : {}),
});
