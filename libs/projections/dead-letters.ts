/**
 * Stores rejected commands as dead letters, and updates the dead letters of retried commands, in the transaction of the
 * batch. Only the first outcome of a record is stored, so that a replay changes nothing.
 */
import { type Session, statement } from '#database';
import { isFault } from '#fault';
import { type LogRecord, type Position, wholeRecord } from '#log';
import { readLetterName, retryHeader } from './dead-letters/letter-name';

export interface DeadLetter {
  readonly record: LogRecord;
  readonly error: unknown;
}

interface StoredLetter extends DeadLetter {
  readonly payload: Buffer;
}

interface ErrorText {
  readonly error: string;
  readonly exception: string;
}

// PostgreSQL's text cannot contain U+0000, but an error text can quote U+0000.
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd');

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

function retriedLetter({ headers }: LogRecord): Position | undefined {
  const name = headers?.[retryHeader];
  return name === undefined ? undefined : readLetterName(name);
}

export const withPayload = async (letter: DeadLetter): Promise<StoredLetter> => ({
  ...letter,
  payload: (await wholeRecord(letter.record)).payload,
});

export async function writeDeadLetters(
  session: Session,
  records: readonly LogRecord[],
  letters: readonly StoredLetter[],
): Promise<void> {
  const rejected = new Map(letters.map((letter) => [letter.record, letter]));
  for (const record of records) {
    const rejection = rejected.get(record);
    const text = rejection && describe(rejection.error);
    const letter = retriedLetter(record);
    if (text === undefined && letter === undefined) continue;
    if (text === undefined) await closeLetter(session, letter as Position, record);
    else if (letter === undefined || !(await countRetry(session, letter, record, text))) {
      await keepLetter(session, rejection as StoredLetter, text);
    }
  }
}

/** Stores a dead letter only if it is not stored yet, because a replay rejects the same record again. */
async function keepLetter(
  session: Session,
  { record, payload }: StoredLetter,
  { error, exception }: ErrorText,
): Promise<void> {
  await session.query(statement`
    INSERT INTO nodeledger.dead_letters
      (log_partition, log_offset, uuid, command, version, certname, received_at, headers, encoding, payload,
       error, exception, attempts)
    VALUES (${record.partition}, ${record.offset}, ${record.uuid}, ${withoutNul(record.command)}, ${record.version},
            ${withoutNul(record.certname)}, to_timestamp(${record.receivedAt}::bigint / 1000.0),
            ${JSON.stringify(record.headers ?? {})}, ${record.encoding}, ${payload}, ${error}, ${exception}, 1)
    ON CONFLICT DO NOTHING`);
}

/** Returns false if the dead letter does not exist. */
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

async function closeLetter(session: Session, { partition, offset }: Position, record: Position): Promise<void> {
  await session.query(statement`
    UPDATE nodeledger.dead_letters
       SET state = 'applied', last_offset = ${record.offset}, payload = ''
     WHERE log_partition = ${partition} AND log_offset = ${offset}
       AND state = 'waiting' AND last_offset < ${record.offset}`);
}
