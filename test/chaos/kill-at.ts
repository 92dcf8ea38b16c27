/** Kills a maintenance verb with SIGKILL at a chosen stage of its work. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '#database';
import type { RunningVerb, VerbEnd } from '../e2e/verb';

const longestMs = 60_000;

export interface Killed {
  /** False if the verb had already ended. */
  readonly killed: boolean;
  readonly end: VerbEnd;
}

/**
 * Kills the verb `afterMs` after `reached` first returns true. The verb may end before that, or never reach the stage.
 */
export async function killWhen(
  running: RunningVerb,
  reached: () => Promise<boolean>,
  afterMs: number,
): Promise<Killed> {
  let ended = false;
  const end = running.ended.finally(() => (ended = true));
  try {
    for (const deadline = Date.now() + longestMs; !ended && !(await reached()); await delay(5)) {
      if (Date.now() > deadline) throw new Error(`the stage at which it was to be killed was not reached`);
    }
    if (!ended) await Promise.race([delay(afterMs), end]);
  } finally {
    running.signal('SIGKILL');
    await end;
  }
  const how = await end;
  return { killed: how.code === null, end: how };
}

/** Returns the number of generations in a state. */
export async function generationsThat(db: Database, state: 'building' | 'scratch'): Promise<number> {
  const [row] = await db.query<{ n: number }>({
    text: 'SELECT count(*)::int AS n FROM nodeledger.generations WHERE state = $1',
    values: [state],
  });
  return row?.n ?? 0;
}

/** Returns the share of the log, in records, that the new generation has applied: from 0 to 1. */
export async function partBuilt(db: Database, ends: ReadonlyMap<number, number>): Promise<number> {
  const [row] = await db.query<{ done: number }>({
    text: `SELECT coalesce(sum(p.next_offset - 1), 0)::int AS done FROM nodeledger.positions p
           JOIN nodeledger.generations g USING (generation) WHERE g.state = 'building'`,
    values: [],
  });
  const total = [...ends.values()].reduce((sum, end) => sum + end - 1, 0);
  return (row?.done ?? 0) / total;
}

/** Stages of a snapshot: it replays the log, replays the new base, and makes the checked base current. */
export type SnapshotStage = 'replay' | 'proof' | 'proved';

/** Returns true after the stage is reached. */
export function snapshotStage(db: Database, stage: SnapshotStage): () => Promise<boolean> {
  let most = 0;
  return async () => {
    const now = await generationsThat(db, 'scratch');
    most = Math.max(most, now);
    if (stage === 'replay') return now > 0;
    return stage === 'proof' ? now > 1 : most > 1 && now < 2;
  };
}
