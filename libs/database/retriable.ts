import { isFault } from '#fault';

const retriableClasses = new Set(['08', '40', '53', '57']);
const retriableSystemErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);
/** What pg says of a connection that ended; these errors carry no code. */
const connectionEnded =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying|The server terminated|Client was closed)/;

/** SQLSTATE or system error code of a database error, also below a Fault. */
export function databaseErrorCode(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string' && !isFault(at)) return code;
  }
  return undefined;
}

/**
 * True where the same work may succeed later, unchanged: SQLSTATE classes 08 (connection), 40 (serialization, deadlock),
 * 53 (resources), 57 (shutdown, cancelled), connections that broke, and a Fault of kind `busy`.
 */
export function isRetriable(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (isFault(at)) {
      if (at.kind === 'busy') return true;
      continue;
    }
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string') {
      if (retriableSystemErrors.has(code) || (code.length === 5 && retriableClasses.has(code.slice(0, 2)))) return true;
    } else if (connectionEnded.test(at.message)) return true;
    if (at instanceof AggregateError && at.errors.some(isRetriable)) return true;
  }
  return false;
}
