import { arrayLiteral, type Database, type Session } from '#database';
import type { Position } from '#log';
import { forgotten } from './forgotten';

export interface DeletedNode extends Position {
  readonly certname: string;
}

/**
 * Removes the content and the certname of dead letters. Changes only the dead letters of commands that are before the
 * deletion in the log, so that a replay has the same result.
 */
export async function forgetLettersOf(session: Session, deleted: readonly DeletedNode[]): Promise<void> {
  if (deleted.length === 0) return;
  await session.query({
    text: `UPDATE nodeledger.dead_letters l SET ${forgotten}, certname = ''
           FROM unnest($1::text[], $2::int[], $3::bigint[]) AS d(certname, log_partition, log_offset)
           WHERE "left"(l.certname, 200) = "left"(d.certname, 200) AND l.certname = d.certname
             AND l.log_partition = d.log_partition AND l.log_offset < d.log_offset`,
    values: [
      arrayLiteral(deleted.map(({ certname }) => certname)),
      arrayLiteral(deleted.map(({ partition }) => partition)),
      arrayLiteral(deleted.map(({ offset }) => offset)),
    ],
  });
}

const atOnce = 200;

interface OldLetters {
  /** ISO 8601. A dead letter is old if its last rejection and its last retry were before this time. */
  readonly before: string;
  /** First offset of the tail, by partition. A replay cannot reject records before the tail again. */
  readonly tails: ReadonlyMap<number, number>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Purges old dead letters that still wait, and returns their number. Deletes the rows of other old dead letters if the
 * log has no record that could create them again.
 */
export async function purgeOldLetters(db: Database, { before, tails, signal }: OldLetters): Promise<number> {
  const purged = await inSteps(
    db,
    (old) => `UPDATE nodeledger.dead_letters SET ${forgotten} WHERE (log_partition, log_offset) IN (${old})`,
    `l.state = 'waiting'`,
    [before],
    signal,
  );
  // The newest retry (`last_offset`) must be before the tail, too. Otherwise a replay of this retry would create the
  // dead letter again.
  await inSteps(
    db,
    (old) => `DELETE FROM nodeledger.dead_letters WHERE (log_partition, log_offset) IN (${old})`,
    `l.state <> 'waiting' AND EXISTS (
       SELECT FROM unnest($2::int[], $3::bigint[]) AS t(log_partition, tail)
       WHERE t.log_partition = l.log_partition AND greatest(l.log_offset, l.last_offset) < t.tail)`,
    [before, arrayLiteral([...tails.keys()]), arrayLiteral([...tails.values()])],
    signal,
  );
  return purged;
}

/** `$1` is the time before which a dead letter is old. */
async function inSteps(
  db: Database,
  textFor: (old: string) => string,
  condition: string,
  values: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<number> {
  // Skips locked rows. If the transaction waited for them while it holds other rows, it could deadlock with the
  // projector.
  const old = `SELECT l.log_partition, l.log_offset FROM nodeledger.dead_letters l
               WHERE ${condition} AND greatest(l.last_rejected_at, l.retried_at) < $1::timestamptz
               ORDER BY l.last_rejected_at LIMIT ${atOnce} FOR UPDATE SKIP LOCKED`;
  let changed = 0;
  for (let found = atOnce; found >= atOnce && signal?.aborted !== true; changed += found) {
    const rows = await db.query({
      text: `WITH old AS MATERIALIZED (${old}) ${textFor('SELECT * FROM old')} RETURNING 1`,
      values,
    });
    found = rows.length;
  }
  return changed;
}
