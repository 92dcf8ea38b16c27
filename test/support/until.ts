import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  /** What is waited for, for the message of a failure. */
  readonly what?: string | undefined;
  /** Long, because the machine may be busy: only a failure takes all of it. */
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/** Resolves as soon as the condition holds. Throws where it does not in time. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { what = 'what was waited for', withinMs = 40_000, everyMs = 10 }: UntilOptions = {},
): Promise<void> {
  for (const end = performance.now() + withinMs; !(await holds()); await delay(everyMs)) {
    if (performance.now() > end) throw new Error(`${what} did not come about within ${withinMs / 1000} s`);
  }
}
