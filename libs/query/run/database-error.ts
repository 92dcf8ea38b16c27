import { databaseErrorCode } from '#database';
import { excerpt, Fault } from '#fault';

/** SQLSTATE classes that a query's own content can cause: data, expression and program-limit errors. */
const contentClasses = ['0A', '21', '22', '54'];
/** From class 42, what no statement of ours raises by itself: types that do not go together, ambiguous functions. */
const contentCodes = ['42883', '42804', '42725', '42846', '42P18', '42P21', '42P22', '42830'];
/** PostgreSQL quotes values too. */
const longestMessage = 1_000;
const vanishedCodes = ['42P01', '3F000'];

/** A table or a schema is missing: another generation is live by now, or the statement is wrong. */
export const tableMissing = (error: unknown): boolean => vanishedCodes.includes(databaseErrorCode(error) ?? '');

/**
 * The error that the client gets for a failed statement. A value or pattern that PostgreSQL refuses is an error of the
 * query (400) with PostgreSQL's message. A timeout becomes `query.timeout`. Other errors are returned unchanged.
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

/** Connection, resources, shutdown, serialization: the same query can succeed a moment later. */
const busyClasses = ['08', '53', '57', '40'];

export const timedOut = (timeoutMs: number, cause?: unknown): Fault =>
  new Fault('timed-out', 'query.timeout', `The query took longer than its timeout of ${timeoutMs / 1000} seconds.`, {
    details: { status: 500 },
    cause,
  });

/** No generation of read tables is live yet, or the live one is replaced again and again. */
export const noTables = (cause?: unknown): Fault =>
  new Fault('busy', 'query.no-tables', 'The service has not built its tables yet; ask again in a moment.', { cause });

/** The live tables were made by a program of another release. */
export const otherForm = (found: number, known: number): Fault =>
  new Fault('busy', 'query.other-form', `The tables have form ${found}, this program asks form ${known}.`, {
    hint:
      found > known
        ? 'Start the newer program that made them in place of this one.'
        : 'Start a projector of this version, which rebuilds them, or keep using the older version until then.',
  });

/** Nobody reads this answer. It is a fault so that the log shows it as such. */
export const clientLeft = (cause: unknown): Fault =>
  new Fault('timed-out', 'query.gone', 'The client closed the connection before its answer was complete.', { cause });
