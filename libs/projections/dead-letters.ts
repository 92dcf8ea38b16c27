import type { Session } from '#database';
import { isFault } from '#fault';
import type { LogRecord } from '#log';

/** A record that cannot be applied, and why. */
export interface DeadLetter {
  readonly record: LogRecord;
  readonly error: unknown;
}

/** What a person reads, and the particulars (problems with their paths, SQLSTATE) as text. */
function describe(error: unknown): { error: string; exception: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (isFault(error)) {
    const details = error.details === undefined ? '' : ` ${JSON.stringify(error.details)}`;
    return { error: message, exception: `${error.code}: ${message}${details}` };
  }
  const code = (error as { code?: unknown }).code;
  return { error: message, exception: typeof code === 'string' ? `${code}: ${message}` : message };
}

// PostgreSQL's text cannot hold U+0000, and an error text may quote it.
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd');

/** Keeps the records whole. Keyed by position: a replay that rejects one again changes nothing. */
export async function writeDeadLetters(session: Session, letters: readonly DeadLetter[]): Promise<void> {
  for (const { record, error } of letters) {
    const text = describe(error);
    await session.query({
      text: `INSERT INTO nodeledger.dead_letters
               (log_partition, log_offset, uuid, command, version, certname, received_at, headers, encoding, payload,
                error, exception, attempts)
             VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7::bigint / 1000.0), $8, $9, $10, $11, $12, 1)
             ON CONFLICT DO NOTHING`,
      values: [
        record.partition,
        record.offset,
        record.uuid,
        withoutNul(record.command),
        record.version,
        withoutNul(record.certname),
        record.receivedAt,
        JSON.stringify(record.headers ?? {}),
        record.encoding,
        record.payload,
        withoutNul(text.error),
        withoutNul(text.exception),
      ],
    });
  }
}
