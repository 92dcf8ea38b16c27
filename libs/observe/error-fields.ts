import { isFault } from '#fault';

export interface ErrorFields {
  readonly type: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

/**
 * Returns the members of an error that are safe to log. Omits the `details` of a fault, and `detail`, `where` and the
 * parameters of a database error, because they quote facts and catalogs, which may contain secrets. Also omits the
 * stack of a fault.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: safeMessage(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: safeMessage(error),
    ...(isFault(error) || error.stack === undefined ? {} : { stack: framesOf(error) }),
    ...(error.cause === undefined || depth >= 3 ? {} : { cause: errorFields(error.cause, depth + 1) }),
  };
}

/**
 * Returns a replacement if the message quotes a value. PostgreSQL's messages about invalid data quote the invalid
 * value, and JSON.parse quotes the text around an error.
 */
export function safeMessage(error: unknown): string {
  if (!(error instanceof Error)) return isPlain(error) ? String(error) : 'no message';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)) return 'PostgreSQL refused a value';
  if (error instanceof SyntaxError) return 'a text could not be parsed';
  return error.message;
}

const isPlain = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

function framesOf({ stack = '', message }: Error): string {
  const at = stack.indexOf(message);
  const rest = at < 0 ? stack : stack.slice(at + message.length);
  const first = rest.search(/^\s+at /m);
  return first < 0 ? '' : rest.slice(first);
}
