/**
 * The dead letters as people deal with them: looked up, counted, read back, purged. Only those that wait for a decision
 * are listed; applied and purged ones are known by name.
 */
import { Fault } from '#fault';
import { type Database, statement, type Sql } from '#database';
import type { NewRecord, PayloadEncoding, Position } from '#log';
import { forgotten } from './forgotten';
import { letterName, lettersChannel } from './letter-name';

type LetterState = 'waiting' | 'applied' | 'purged';

/** Which letters are meant; all conditions hold at once. */
export interface LetterFilter {
  /** With spaces, as `replace facts`. */
  readonly command?: string;
  readonly certname?: string;
  /** Rejected at that time or later (the last time, for those that were retried). ISO 8601. */
  readonly since?: string;
}

/** A letter without its payload. Times are ISO 8601 in UTC, with milliseconds. */
export interface LetterSummary {
  /** As letterName makes it. */
  readonly name: string;
  readonly partition: number;
  readonly offset: number;
  readonly uuid: string;
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly receivedAt: string;
  readonly state: LetterState;
  /** For people. */
  readonly error: string;
  /** The error's code and particulars. */
  readonly exception: string;
  /** How often the command was rejected, at least 1. */
  readonly attempts: number;
  readonly rejectedAt: string;
  readonly lastRejectedAt: string;
  /** When a retry was last given; null: never. */
  readonly retriedAt: string | null;
  /** Offset of the newest retry whose outcome is known, in the same partition; 0: none. */
  readonly lastOffset: number;
  readonly encoding: PayloadEncoding;
  /** Bytes as they came; 0 once applied or purged. */
  readonly payloadBytes: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface LetterPayload {
  readonly encoding: PayloadEncoding;
  readonly payloadBytes: number;
  /**
   * The bytes as they came. Each piece is read when it is asked for, so that who takes them slowly holds no more than one, and
   * no connection to the database. Fault `letters.gone` if the letter does not wait any more.
   */
  readonly pieces: AsyncIterable<Buffer>;
}

const pieceBytes = 256 << 10;

/** A waiting letter, and how heavy it is. */
export interface WaitingLetter extends Position {
  readonly command: string;
  readonly attempts: number;
  readonly payloadBytes: number;
}

const isoTime = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const summaryColumns = `log_partition AS partition, log_offset AS "offset", uuid::text, command, version, certname,
  to_char(received_at AT TIME ZONE 'UTC', ${isoTime}) AS "receivedAt", state, error, exception, attempts,
  to_char(rejected_at AT TIME ZONE 'UTC', ${isoTime}) AS "rejectedAt",
  to_char(last_rejected_at AT TIME ZONE 'UTC', ${isoTime}) AS "lastRejectedAt",
  to_char(retried_at AT TIME ZONE 'UTC', ${isoTime}) AS "retriedAt", last_offset AS "lastOffset", encoding,
  length(payload) AS "payloadBytes", headers::text AS "headerText"`;

type SummaryRow = Omit<LetterSummary, 'name' | 'headers'> & { readonly headerText: string };

const summaryOf = ({ headerText, ...row }: SummaryRow): LetterSummary => ({
  name: letterName(row),
  ...row,
  headers: JSON.parse(headerText) as Record<string, string>,
});

/** `$1` to `$3` of a statement, and the condition on them. */
const filterValues = ({ command, certname, since }: LetterFilter): unknown[] => [
  command ?? null,
  certname ?? null,
  since ?? null,
];
const matches = `state = 'waiting' AND ($1::text IS NULL OR command = $1) AND ($2::text IS NULL OR certname = $2)
  AND ($3::timestamptz IS NULL OR last_rejected_at >= $3)`;

export class DeadLetterStore {
  constructor(private readonly db: Database) {}

  /** Waiting letters, those rejected last first, and how many there are in all. */
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

  /** The letter in whatever state; undefined where no command was ever rejected. */
  async find({ partition, offset }: Position): Promise<LetterSummary | undefined> {
    const [row] = await this.db.query<SummaryRow>({
      text: `SELECT ${summaryColumns} FROM nodeledger.dead_letters WHERE log_partition = $1 AND log_offset = $2`,
      values: [partition, offset],
    });
    return row && summaryOf(row);
  }

  /** Undefined unless the letter waits. */
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

  /** All waiting letters that match, in the order of the log. */
  async waiting(filter: LetterFilter = {}): Promise<WaitingLetter[]> {
    return this.db.query<WaitingLetter>({
      text: `SELECT log_partition AS partition, log_offset AS "offset", command, attempts, length(payload) AS "payloadBytes"
               FROM nodeledger.dead_letters WHERE ${matches} ORDER BY log_partition, log_offset`,
      values: filterValues(filter),
    });
  }

  /** The command as it was accepted; undefined unless the letter waits. */
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

  /** Notes that a retry was given. Says nothing about its outcome, which the projector writes. */
  async markRetried(letter: Position): Promise<void> {
    await this.db.query(statement`
      UPDATE nodeledger.dead_letters SET retried_at = now()
       WHERE log_partition = ${letter.partition} AND log_offset = ${letter.offset} AND state = 'waiting'`);
  }

  /** Gives up one letter; false where none of that name waits. */
  async purge({ partition, offset }: Position): Promise<boolean> {
    return (
      (await this.purgeWhere(
        statement`log_partition = ${partition} AND log_offset = ${offset} AND state = 'waiting'`,
      )) > 0
    );
  }

  /** Gives up all that match, and says how many. One that a retry's outcome changes at that very moment is left out. */
  async purgeMatching(filter: LetterFilter): Promise<number> {
    // Never waits for a row while it holds others, so that it cannot block the projector and the projector it.
    return this.purgeWhere({
      text: `(log_partition, log_offset) IN (
        SELECT log_partition, log_offset FROM nodeledger.dead_letters WHERE ${matches} FOR UPDATE SKIP LOCKED)`,
      values: filterValues(filter),
    });
  }

  private async purgeWhere(condition: Sql): Promise<number> {
    return this.db.transaction(async (session) => {
      const purged = await session.query({
        text: `UPDATE nodeledger.dead_letters SET ${forgotten} WHERE ${condition.text} RETURNING 1`,
        values: condition.values,
      });
      if (purged.length > 0) await session.query(statement`SELECT pg_notify(${lettersChannel}, '')`);
      return purged.length;
    });
  }
}
