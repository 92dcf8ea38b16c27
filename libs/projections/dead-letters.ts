/**
 * The projector's side of the dead letter office: what became of a batch's records, in the batch's own transaction.
 * Takes the records in log order; keeps rejected ones whole, and counts a retry's outcome in the letter that it retries.
 * The first outcome at a place in the log stands, so that a replay changes nothing.
 */
import { type Session, statement } from '#database';
import { isFault } from '#fault';
import type { LogRecord, Position } from '#log';
import { lettersChannel, readLetterName, retryHeader } from './dead-letters/letter-name';

/** A record that cannot be applied, and why. */
export interface DeadLetter {
  readonly record: LogRecord;
  readonly error: unknown;
}

interface ErrorText {
  readonly error: string;
  readonly exception: string;
}

// PostgreSQL's text cannot hold U+0000, and an error text may quote it.
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd');

/** What a person reads, and the particulars (problems with their paths, SQLSTATE) as text. */
function describe(error: unknown): ErrorText {
  const message = error instanceof Error ? error.message : String(error);
  if (isFault(error)) {
    const details = error.details === undefined ? '' : ` ${JSON.stringify(error.details)}`;
    return { error: withoutNul(message), exception: withoutNul(`${error.code}: ${message}${details}`) };
  }
  const code = (error as { code?: unknown }).code;
  const exception = typeof code === 'string' ? `${code}: ${message}` : message;
  return { error: withoutNul(message), exception: withoutNul(exception) };
}

/** The letter that a record retries. */
function retriedLetter({ headers }: LogRecord): Position | undefined {
  const name = headers?.[retryHeader];
  return name === undefined ? undefined : readLetterName(name);
}

/** Writes the outcomes of a batch; `letters` are those of its records that were rejected. */
export async function writeDeadLetters(
  session: Session,
  records: readonly LogRecord[],
  letters: readonly DeadLetter[],
): Promise<void> {
  const rejected = new Map(letters.map(({ record, error }) => [record, describe(error)]));
  let changed = false;
  for (const record of records) {
    const text = rejected.get(record);
    const letter = retriedLetter(record);
    if (text === undefined && letter === undefined) continue;
    changed = true;
    if (text === undefined) await closeLetter(session, letter as Position, record);
    else if (letter === undefined || !(await countRetry(session, letter, record, text))) {
      await keepLetter(session, record, text);
    }
  }
  if (changed) await session.query(statement`SELECT pg_notify(${lettersChannel}, '')`);
}

/** Keyed by position: a replay that rejects the record again finds the row there, in whatever state. */
async function keepLetter(session: Session, record: LogRecord, { error, exception }: ErrorText): Promise<void> {
  await session.query(statement`
    INSERT INTO nodeledger.dead_letters
      (log_partition, log_offset, uuid, command, version, certname, received_at, headers, encoding, payload,
       error, exception, attempts)
    VALUES (${record.partition}, ${record.offset}, ${record.uuid}, ${withoutNul(record.command)}, ${record.version},
            ${withoutNul(record.certname)}, to_timestamp(${record.receivedAt}::bigint / 1000.0),
            ${JSON.stringify(record.headers ?? {})}, ${record.encoding}, ${record.payload}, ${error}, ${exception}, 1)
    ON CONFLICT DO NOTHING`);
}

/** A retry was rejected: one more attempt at the same letter. False where no such letter was ever kept. */
async function countRetry(session: Session, letter: Position, record: Position, text: ErrorText): Promise<boolean> {
  const { partition, offset } = letter;
  await session.query(statement`
    UPDATE nodeledger.dead_letters
       SET attempts = attempts + 1, last_offset = ${record.offset}, last_rejected_at = now(),
           error = ${text.error}, exception = ${text.exception}
     WHERE log_partition = ${partition} AND log_offset = ${offset}
       AND state = 'waiting' AND last_offset < ${record.offset}`);
  const kept = await session.query(statement`
    SELECT FROM nodeledger.dead_letters WHERE log_partition = ${partition} AND log_offset = ${offset}`);
  return kept.length > 0;
}

/** A retry was applied: the letter leaves the list. */
async function closeLetter(session: Session, { partition, offset }: Position, record: Position): Promise<void> {
  await session.query(statement`
    UPDATE nodeledger.dead_letters
       SET state = 'applied', last_offset = ${record.offset}, payload = ''
     WHERE log_partition = ${partition} AND log_offset = ${offset}
       AND state = 'waiting' AND last_offset < ${record.offset}`);
}
