import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  /** The expected condition, for the message of a failure. */
  readonly what?: string | undefined;
  /** Long, because the machine may be busy. Only a failure takes the whole time. */
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/** Resolves as soon as the condition is true. Throws if that takes too long. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { what = 'the expected condition', withinMs = 40_000, everyMs = 10 }: UntilOptions = {},
): Promise<void> {
  for (const end = performance.now() + withinMs; !(await holds()); await delay(everyMs)) {
    if (performance.now() > end) throw new Error(`${what} did not come about within ${withinMs / 1000} s`);
  }
}

/**
 * Checks for `forMs` that the condition stays true, and throws as soon as it is false. For events that must not happen.
 */
export async function stays(
  holds: () => boolean | Promise<boolean>,
  { what = 'the expected condition', forMs, everyMs = 10 }: UntilOptions & { readonly forMs: number },
): Promise<void> {
  for (const end = performance.now() + forMs; performance.now() < end; await delay(everyMs)) {
    if (!(await holds())) throw new Error(`${what} ended`);
  }
}

/** Resolves when the value has been the same for `quietMs`. */
export async function untilQuiet(value: () => number, quietMs = 150): Promise<void> {
  let last = value();
  let since = performance.now();
  await until(() => {
    if (value() !== last) since = performance.now();
    last = value();
    return performance.now() - since >= quietMs;
  });
}
