/**
 * The lists and counts contain only dead letters that wait for an operator's decision. Applied and purged dead letters
 * can be found only by name.
 */
import { Fault } from '#fault';
import { type Database, isoTime, statement, type Sql } from '#database';
import type { NewRecord, PayloadEncoding, Position } from '#log';
import { forgotten } from './forgotten';
import { letterName } from './letter-name';

type LetterState = 'waiting' | 'applied' | 'purged';

export interface LetterFilter {
  /** Name of the command with spaces, such as `replace facts`. */
  readonly command?: string;
  readonly certname?: string;
  /** ISO 8601. Matches dead letters that were last rejected at this time or later. */
  readonly since?: string;
}

/** A dead letter without its payload. Times are ISO 8601 in UTC with milliseconds. */
export interface LetterSummary {
  readonly name: string;
  readonly partition: number;
  readonly offset: number;
  readonly uuid: string;
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly receivedAt: string;
  readonly state: LetterState;
  readonly error: string;
  /** Code and details of the error. */
  readonly exception: string;
  readonly attempts: number;
  readonly rejectedAt: string;
  readonly lastRejectedAt: string;
  readonly retriedAt: string | null;
  /**
   * Offset of the last retry that the projector has applied or rejected, in the partition of the command. 0 if there is
   * none.
   */
  readonly lastOffset: number;
  readonly encoding: PayloadEncoding;
  /** Bytes of the received payload. 0 after the dead letter was applied or purged. */
  readonly payloadBytes: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface LetterPayload {
  readonly encoding: PayloadEncoding;
  readonly payloadBytes: number;
  /**
   * Each piece is read from the database only when the caller requests it. So a slow caller occupies the memory of one
   * piece, and no database connection. Throws `letters.gone` if the dead letter no longer waits.
   */
  readonly pieces: AsyncIterable<Buffer>;
}

const pieceBytes = 256 << 10;

export interface WaitingLetter extends Position {
  readonly command: string;
  readonly attempts: number;
  readonly payloadBytes: number;
}

const summaryColumns = `log_partition AS partition, log_offset AS "offset", uuid::text, command, version, certname,
  ${isoTime('received_at')} AS "receivedAt", state, error, exception, attempts,
  ${isoTime('rejected_at')} AS "rejectedAt",
  ${isoTime('last_rejected_at')} AS "lastRejectedAt",
  ${isoTime('retried_at')} AS "retriedAt", last_offset AS "lastOffset", encoding,
  length(payload) AS "payloadBytes", headers::text AS "headerText"`;

type SummaryRow = Omit<LetterSummary, 'name' | 'headers'> & { readonly headerText: string };

const summaryOf = ({ headerText, ...row }: SummaryRow): LetterSummary => ({
  name: letterName(row),
  ...row,
  headers: JSON.parse(headerText) as Record<string, string>,
});

/** Values of the parameters `$1` to `$3` in `matches`. */
const filterValues = ({ command, certname, since }: LetterFilter): unknown[] => [
  command ?? null,
  certname ?? null,
  since ?? null,
];
const matches = `state = 'waiting' AND ($1::text IS NULL OR command = $1) AND ($2::text IS NULL OR certname = $2)
  AND ($3::timestamptz IS NULL OR last_rejected_at >= $3)`;

export class DeadLetterStore {
  constructor(private readonly db: Database) {}

  /**
   * Returns one page of the matching dead letters. The dead letter that was rejected last comes first. `total` counts
   * all matching letters.
   */
  async list(
    filter: LetterFilter,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly letters: LetterSummary[] }> {
    const values = filterValues(filter);
    const [count] = await this.db.query<{ total: number }>({
      text: `SELECT count(*) AS total FROM nodeledger.dead_letters WHERE ${matches}`,
      values,
    });
    const rows = await this.db.query<SummaryRow>({
      text: `SELECT ${summaryColumns} FROM nodeledger.dead_letters WHERE ${matches}
             ORDER BY last_rejected_at DESC, log_partition DESC, log_offset DESC LIMIT $4 OFFSET $5`,
      values: [...values, limit, offset],
    });
    return { total: count?.total ?? 0, letters: rows.map(summaryOf) };
  }

  /** Finds dead letters in any state. Returns undefined if no command at this position was rejected. */
  async find({ partition, offset }: Position): Promise<LetterSummary | undefined> {
    const [row] = await this.db.query<SummaryRow>({
      text: `SELECT ${summaryColumns} FROM nodeledger.dead_letters WHERE log_partition = $1 AND log_offset = $2`,
      values: [partition, offset],
    });
    return row && summaryOf(row);
  }

  /** Returns undefined if the dead letter does not wait. */
  async payload(letter: Position): Promise<LetterPayload | undefined> {
    const [row] = await this.db.query<Pick<LetterPayload, 'encoding' | 'payloadBytes'>>(statement`
      SELECT encoding, length(payload) AS "payloadBytes" FROM nodeledger.dead_letters
       WHERE log_partition = ${letter.partition} AND log_offset = ${letter.offset} AND state = 'waiting'`);
    return row && { ...row, pieces: this.pieces(letter, row.payloadBytes) };
  }

  private async *pieces({ partition, offset }: Position, bytes: number): AsyncGenerator<Buffer> {
    for (let from = 0; from < bytes; from += pieceBytes) {
      const [row] = await this.db.query<{ readonly piece: Buffer }>(statement`
        SELECT substring(payload FROM ${from + 1}::int FOR ${pieceBytes}::int) AS piece FROM nodeledger.dead_letters
         WHERE log_partition = ${partition} AND log_offset = ${offset} AND state = 'waiting'`);
      if (row === undefined)
        throw new Fault('conflict', 'letters.gone', 'The dead letter was applied or purged meanwhile.');
      yield row.piece;
    }
  }

  /** Returns the matching dead letters that wait, in the order of the log. */
  async waiting(filter: LetterFilter = {}): Promise<WaitingLetter[]> {
    return this.db.query<WaitingLetter>({
      text: `SELECT log_partition AS partition, log_offset AS "offset", command, attempts, length(payload) AS "payloadBytes"
               FROM nodeledger.dead_letters WHERE ${matches} ORDER BY log_partition, log_offset`,
      values: filterValues(filter),
    });
  }

  /** Returns the command as a client submitted it, or undefined if the dead letter does not wait. */
  async command({ partition, offset }: Position): Promise<NewRecord | undefined> {
    const [row] = await this.db.query<Omit<NewRecord, 'headers'> & { readonly headerText: string }>(statement`
      SELECT uuid::text, command, version, certname, encoding, payload, headers::text AS "headerText",
             round(extract(epoch FROM received_at) * 1000)::bigint AS "receivedAt"
        FROM nodeledger.dead_letters
       WHERE log_partition = ${partition} AND log_offset = ${offset} AND state = 'waiting'`);
    if (row === undefined) return undefined;
    const { headerText, ...record } = row;
    return { ...record, headers: JSON.parse(headerText) as Record<string, string> };
  }

  async markRetried(letter: Position): Promise<void> {
    await this.db.query(statement`
      UPDATE nodeledger.dead_letters SET retried_at = now()
       WHERE log_partition = ${letter.partition} AND log_offset = ${letter.offset} AND state = 'waiting'`);
  }

  /** Returns false if the dead letter does not wait. */
  async purge({ partition, offset }: Position): Promise<boolean> {
    return (
      (await this.purgeWhere(
        statement`log_partition = ${partition} AND log_offset = ${offset} AND state = 'waiting'`,
      )) > 0
    );
  }

  /** Purges all matching letters that wait, and returns their number. Skips letters that the projector is changing. */
  async purgeMatching(filter: LetterFilter): Promise<number> {
    // Skips locked rows. If the transaction waited for them while it holds other rows, it could deadlock with the
    // projector.
    return this.purgeWhere({
      text: `(log_partition, log_offset) IN (
        SELECT log_partition, log_offset FROM nodeledger.dead_letters WHERE ${matches} FOR UPDATE SKIP LOCKED)`,
      values: filterValues(filter),
    });
  }

  private async purgeWhere(condition: Sql): Promise<number> {
    const purged = await this.db.query({
      text: `UPDATE nodeledger.dead_letters SET ${forgotten} WHERE ${condition.text} RETURNING 1`,
      values: condition.values,
    });
    return purged.length;
  }
}
