import { Fault, isFault } from '#fault';
import { breaksConnection, databaseErrorCode, isRetriable } from './retriable';

/** Converts an error of a connection to a fault. The message never contains the password. */
export function connectionFault(error: unknown): Fault {
  if (isFault(error)) return error;
  const said = error instanceof Error ? error.message || String(databaseErrorCode(error)) : String(error);
  const cause = { cause: error };
  if (said === 'timeout exceeded when trying to connect') {
    return new Fault('busy', 'database.crowded', 'no connection of the pool became free in time', {
      hint: 'Statements take long, or there are too many: raise the pool size, or send fewer requests at once.',
      ...cause,
    });
  }
  if (isRetriable(error)) {
    return new Fault('busy', 'database.unreachable', `the database cannot be reached: ${said}`, {
      hint: 'Check that PostgreSQL runs, and the host and port of DATABASE_URL.',
      ...cause,
    });
  }
  return new Fault('broken', 'database.refused', `the database refuses the connection: ${said}`, {
    hint: 'Check the user, password and database name of DATABASE_URL.',
    ...cause,
  });
}

/**
 * Converts an error of a statement. A timeout becomes `database.timeout`. A broken connection becomes
 * `database.cut-off`: in this case, it is unknown whether the statement took effect. Other errors are returned
 * unchanged.
 */
export function statementError(error: unknown): unknown {
  if (isFault(error)) return error;
  if (breaksConnection(error)) {
    return new Fault('busy', 'database.cut-off', 'the database ended the connection in the middle of a statement', {
      cause: error,
    });
  }
  if (databaseErrorCode(error) !== '57014') return error;
  const { message } = error as Error;
  if (!message.includes('statement timeout')) return error;
  return new Fault('timed-out', 'database.timeout', 'the statement took longer than its time limit', { cause: error });
}
