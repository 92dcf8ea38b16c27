import { databaseErrorCode, isOutOfOrder, isRetriable } from '#database';
import { Fault, isFault } from '#fault';
import type { StoreFailures } from '../append-queue';

/** Returns true only if PostgreSQL reported that the statement failed, or if the statement never reached PostgreSQL. */
function nothingStored(error: unknown): boolean {
  if (isFault(error))
    return (
      error.code === 'database.unreachable' ||
      error.code === 'database.crowded' ||
      error.code === 'database.refused' ||
      nothingStored(error.cause)
    );
  return databaseErrorCode(error)?.length === 5 && (error as { severity?: unknown }).severity === 'ERROR';
}

function appendFault(error: unknown): Fault {
  const said = error instanceof Error ? error.message : String(error);
  const cause = { cause: error };
  if (isRetriable(error) || isOutOfOrder(error)) {
    return new Fault('busy', 'log.unavailable', `the log cannot accept commands at the moment: ${said}`, cause);
  }
  if (databaseErrorCode(error)?.startsWith('22') === true) {
    return new Fault('malformed', 'log.unstorable', `the command cannot be stored: ${said}`, cause);
  }
  return new Fault('broken', 'log.append', `the command could not be appended: ${said}`, cause);
}

export const storeFailures: StoreFailures = {
  isWorthRetry: (error) => isRetriable(error) && nothingStored(error),
  mayBeOneRecord: (error) => nothingStored(error) && !isRetriable(error) && !isOutOfOrder(error),
  fault: appendFault,
};
