import { arrayLiteral, statement, type Database, type Session } from '#database';
import type { Position } from '#log';
import { lettersChannel } from './letter-name';

/**
 * What is left of a letter whose content is to go: its place, so that a rebuild does not list it again, and whether its record
 * is fatal, so that a rebuild does not read it. Error texts may quote the payload.
 */
const forgotten = `state = CASE state WHEN 'applied' THEN 'applied' ELSE 'purged' END, payload = '', headers = '{}', error = '',
  exception = CASE WHEN exception LIKE 'projections.fatal-record:%' THEN exception ELSE '' END`;

/** A node and the place of the record that deleted it. */
export interface DeletedNode extends Position {
  readonly certname: string;
}

/** Forgets what the letters of deleted nodes held. Only those before the deletion in the log: a replay changes nothing. */
export async function forgetLettersOf(session: Session, deleted: readonly DeletedNode[]): Promise<void> {
  if (deleted.length === 0) return;
  const found = await session.query({
    text: `UPDATE nodeledger.dead_letters l SET ${forgotten}
           FROM unnest($1::text[], $2::int[], $3::bigint[]) AS d(certname, log_partition, log_offset)
           WHERE l.certname = d.certname AND l.log_partition = d.log_partition AND l.log_offset < d.log_offset
           RETURNING 1`,
    values: [
      arrayLiteral(deleted.map(({ certname }) => certname)),
      arrayLiteral(deleted.map(({ partition }) => partition)),
      arrayLiteral(deleted.map(({ offset }) => offset)),
    ],
  });
  if (found.length > 0) await session.query(statement`SELECT pg_notify(${lettersChannel}, '')`);
}

/** Letters that one transaction changes. */
const atOnce = 200;

export interface OldLetters {
  /** ISO 8601: letters that were last rejected before are old. */
  readonly before: string;
  /** Where the log's tail begins in each partition: no replay rejects an earlier record again. */
  readonly tails: ReadonlyMap<number, number>;
  /** Ends it early, between two transactions. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Purges old letters that still wait. Of letters that were decided it removes what is left of the old ones, once the log has
 * no record any more that could bring them back. Returns how many were purged.
 */
export async function purgeOldLetters(db: Database, { before, tails, signal }: OldLetters): Promise<number> {
  const purged = await inSteps(
    db,
    (old) => `UPDATE nodeledger.dead_letters SET ${forgotten} WHERE (log_partition, log_offset) IN (${old})`,
    `l.state = 'waiting'`,
    [before],
    signal,
  );
  // `last_offset` counts too: a retry that the log still has would be a letter of its own without the one that it retries.
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

/** Runs a statement on the old letters that meet a condition, some at a time. `$1` is the time before which they are old. */
async function inSteps(
  db: Database,
  textFor: (old: string) => string,
  condition: string,
  values: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<number> {
  // Never waits for a row while it holds others, as the projector does.
  const old = `SELECT l.log_partition, l.log_offset FROM nodeledger.dead_letters l
               WHERE ${condition} AND l.last_rejected_at < $1::timestamptz
               ORDER BY l.last_rejected_at LIMIT ${atOnce} FOR UPDATE SKIP LOCKED`;
  let changed = 0;
  for (let found = atOnce; found === atOnce && signal?.aborted !== true; changed += found) {
    found = await db.transaction(async (session) => {
      const rows = await session.query({ text: `${textFor(old)} RETURNING 1`, values });
      if (rows.length > 0) await session.query(statement`SELECT pg_notify(${lettersChannel}, '')`);
      return rows.length;
    });
  }
  return changed;
}
