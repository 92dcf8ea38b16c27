import { Generations, type Generation, type Session, withoutTimeouts } from '#database';
import { Fault } from '#fault';
import { recordsBetween, offsetsOf, replayTo, type ReplayOptions } from './replay';
import type { ReplayContext } from './replay-context';

/** Number of records that can remain when the live generation is locked. The replay applies them in about a second. */
const lastRecords = 300;
const mostRounds = 20;

/**
 * Applies records until `generation` has nearly reached the live generation, which advances at the same time. Returns
 * the number of applied records.
 */
export async function followLive(
  context: ReplayContext,
  generation: Generation,
  livePositions: () => Promise<ReadonlyMap<number, number>>,
  options: ReplayOptions = {},
): Promise<number> {
  let applied = 0;
  for (let round = 0; round < mostRounds; round++) {
    const target = await livePositions();
    if (recordsBetween(await offsetsOf(context.db, generation), target) === 0) break;
    applied += await replayTo(context, generation, target, options);
    if (recordsBetween(target, await livePositions()) <= lastRecords) break;
  }
  return applied;
}

/**
 * Advances `generation` to the position of the live generation, and calls `look` with a transaction that sees both
 * generations at this position. `generation` must not be ahead of the live generation.
 */
export async function atOnePosition<T>(
  context: ReplayContext,
  generation: Generation,
  look: (session: Session) => Promise<T>,
  options: ReplayOptions = {},
): Promise<T> {
  const { db } = context;
  const generations = new Generations(db);
  let looked: Promise<T> | undefined;
  await db.transaction(async (session) => {
    await withoutTimeouts(session);
    const live = await generations.lockedLivePositions(session);
    const target = new Map([...live].map(([partition, { nextOffset }]) => [partition, nextOffset]));
    await replayTo(context, generation, target, { ...options, removeLater: true });
    const reached = await offsetsOf(db, generation);
    for (const [partition, offset] of reached) {
      if (offset === target.get(partition)) continue;
      throw new Fault('broken', 'replay.apart', `the two sets of read tables cannot be brought to one position`, {
        details: { partition, live: target.get(partition), replayed: offset },
      });
    }
    await new Promise<void>((resolve, reject) => {
      looked = db.transaction(async (snapshot) => {
        await snapshot.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY', values: [] });
        await withoutTimeouts(snapshot);
        await snapshot.query({ text: 'SELECT FROM nodeledger.generations LIMIT 1', values: [] });
        resolve();
        return look(snapshot);
      });
      looked.catch(reject);
    });
  });
  return looked as Promise<T>;
}
