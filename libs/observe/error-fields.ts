import { isFault } from '#fault';

/** What of an error goes into a log line. */
export interface ErrorFields {
  readonly type: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

/**
 * Picks what is safe to log: never `details` of a fault nor `detail`, `where` and parameters of a database error, as
 * they quote facts and catalogs, and those hold secrets. Faults say what happened by themselves and need no stack.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: error.message,
    ...(isFault(error) || error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined || depth >= 3 ? {} : { cause: errorFields(error.cause, depth + 1) }),
  };
}
