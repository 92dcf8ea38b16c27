import { databaseErrorCode } from '#database';
import { excerpt, Fault } from '#fault';

/**
 * SQLSTATE classes of errors that the content of a query can cause: unsupported features, cardinality, data, and
 * program limits.
 */
const contentClasses = ['0A', '21', '22', '54'];
/**
 * Codes of class 42 that the content of a query can cause, such as operators on incompatible types. Other codes of this
 * class mean a mistake in the compiler of queries.
 */
const contentCodes = ['42883', '42804', '42725', '42846', '42P18', '42P21', '42P22', '42830'];
/** PostgreSQL's messages quote values from the query, which can be long. */
const longestMessage = 1_000;
const vanishedCodes = ['42P01', '3F000'];

/** If a table or a schema is missing, either another generation has become live, or the statement is wrong. */
export const tableMissing = (error: unknown): boolean => vanishedCodes.includes(databaseErrorCode(error) ?? '');

/**
 * If PostgreSQL refuses a value or pattern of the query, the fault is `query.refused` (400) with PostgreSQL's message.
 * A timeout becomes `query.timeout`, and an unavailable database `query.database-busy`. Other errors are returned
 * unchanged.
 */
export function explainDatabaseError(error: unknown, timeoutMs: number): unknown {
  if (error instanceof Fault) {
    return error.code === 'database.timeout' ? timedOut(timeoutMs, error) : error;
  }
  const code = databaseErrorCode(error);
  if (code === undefined || !(error instanceof Error)) return error;
  if (contentClasses.includes(code.slice(0, 2)) || contentCodes.includes(code)) {
    return new Fault('malformed', 'query.refused', `ERROR: ${excerpt(error.message, longestMessage)}`, {
      cause: error,
      details: { sqlState: code },
    });
  }
  if (busyClasses.includes(code.slice(0, 2))) {
    return new Fault('busy', 'query.database-busy', 'The database cannot answer at the moment.', { cause: error });
  }
  return error;
}

/** SQLSTATE classes of errors after which a retry can succeed: connection, resources, shutdown, and serialization. */
const busyClasses = ['08', '53', '57', '40'];

export const timedOut = (timeoutMs: number, cause?: unknown): Fault =>
  new Fault('timed-out', 'query.timeout', `The query took longer than its timeout of ${timeoutMs / 1000} seconds.`, {
    details: { status: 500 },
    cause,
  });

/** Makes the fault for a query that finds no live generation, or whose generation is replaced again and again. */
export const noTables = (cause?: unknown): Fault =>
  new Fault('busy', 'query.no-tables', 'The service has not built its tables yet; ask again in a moment.', { cause });

export const otherSchemaVersion = (found: number, known: number): Fault =>
  new Fault('busy', 'query.other-form', `The tables have form ${found}, this program reads form ${known}.`, {
    hint:
      found > known
        ? 'Start the newer program that made them in place of this one.'
        : 'Start a projector of this version, which rebuilds them, or keep using the older version until then.',
  });

/** No client gets this fault, but the log shows it. */
export const clientLeft = (cause: unknown): Fault =>
  new Fault('timed-out', 'query.gone', 'The client closed the connection before its answer was complete.', { cause });
