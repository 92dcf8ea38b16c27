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
/** These errors of pg have no code. */
const connectionEnded =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying|The server terminated|Client was closed)/;

/** ENOENT is temporary only if it is about the socket of a stopped server. */
const isSystemTrouble = ({ code, message }: { readonly code: string; readonly message: string }): boolean =>
  retriableSystemErrors.has(code) || (code === 'ENOENT' && message.startsWith('connect '));

/**
 * Yields an error and its causes. Does not use `instanceof`, because errors can come from another JavaScript realm,
 * where `Error` is another class.
 */
function* chain(error: unknown): Generator<Error & { readonly code?: unknown }> {
  let at = error;
  for (let depth = 0; depth < 5; depth++) {
    if (typeof at !== 'object' || at === null || !('message' in at)) return;
    yield at as Error;
    at = (at as Error).cause;
  }
}

export function databaseErrorCode(error: unknown): string | undefined {
  for (const at of chain(error)) {
    if (typeof at.code === 'string' && !isFault(at)) return at.code;
  }
  return undefined;
}

export const isLockTimeout = (error: unknown): boolean => databaseErrorCode(error) === '55P03';

/**
 * Returns true for the SQLSTATE classes 08 (connection), 40 (serialization, deadlock), 53 (resources) and 57 (shutdown,
 * cancel), for broken connections, and for busy faults.
 */
export function isRetriable(error: unknown): boolean {
  for (const at of chain(error)) {
    if (isFault(at)) {
      if (at.kind === 'busy') return true;
    } else if (typeof at.code === 'string') {
      if (isSystemTrouble({ code: at.code, message: at.message })) return true;
      if (at.code.length === 5 && retriableClasses.has(at.code.slice(0, 2))) return true;
    } else if (connectionEnded.test(at.message)) return true;
    const { errors } = at as { errors?: unknown };
    if (Array.isArray(errors) && errors.some(isRetriable)) return true;
  }
  return false;
}

export function breaksConnection(error: unknown): boolean {
  for (const at of chain(error)) {
    const { severity } = at as { severity?: unknown };
    if (severity === 'FATAL' || severity === 'PANIC') return true;
    const { code, message } = at;
    if (typeof code === 'string' ? isSystemTrouble({ code, message }) : connectionEnded.test(message)) return true;
  }
  return false;
}

const tooMuch = /^(53[24]..|53000|57014|25P04)$/;

/**
 * Returns whether the same work may succeed in smaller pieces: the server ran out of memory (53200) or reached a
 * configured limit (53400), or a statement or transaction took too long (57014, 25P04). A full disk (53100) is not such
 * a case, because smaller pieces need as much space.
 */
export const mayFitInSmallerPieces = (error: unknown): boolean => tooMuch.test(databaseErrorCode(error) ?? '');

const outOfOrder = /^(25|28|55|58)...$|^(42501|XX001|XX002)$/;

/**
 * Returns whether the state of the database has caused the error, and not the statement: read-only (25), permissions
 * (28, 42501), locked (55), unreadable files (58) and corrupt tables (XX001, XX002).
 */
export const isOutOfOrder = (error: unknown): boolean => outOfOrder.test(databaseErrorCode(error) ?? '');
