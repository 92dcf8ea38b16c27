import type { Database } from '#database';

const mostCounted = 100_000;

export interface WaitingLetters {
  /** At most 100,000, because counting them all could take long. */
  readonly letters: number;
  readonly bytes: number;
}

export async function countWaitingLetters(db: Database): Promise<WaitingLetters> {
  const [row] = await db.query<{ letters: string; bytes: string }>({
    text: `SELECT count(*) AS letters, coalesce(sum(octet_length(payload)), 0) AS bytes
             FROM (SELECT payload FROM nodeledger.dead_letters WHERE state = 'waiting' LIMIT ${mostCounted}) AS waiting`,
    values: [],
  });
  return { letters: Number(row?.letters ?? 0), bytes: Number(row?.bytes ?? 0) };
}
