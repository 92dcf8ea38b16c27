/** Builds temporary read tables as of an earlier position of the log, runs `work` with them, and drops them. */
import { type Generation, Generations, withMaintenanceLock } from '#database';
import { Fault } from '#fault';
import { dropLeftovers, findLiveGeneration, makeGeneration, requireKnown } from './rebuild';
import { offsetsOf, replayTo } from './replay';
import type { ReplayContext } from './replay-context';
import { lastSnapshotAt } from './snapshot';

/**
 * An offset for each partition, or a time in milliseconds since 1970. A partition without an offset gets its live
 * position.
 */
export type PastPosition = { readonly offsets: ReadonlyMap<number, number> } | { readonly time: number };

/**
 * Throws `replay.position` if the log no longer has the records for the position. Also throws `replay.no-live`,
 * `maintenance.busy` or `maintenance.stopped`.
 */
export async function withTablesAt<T>(
  context: ReplayContext,
  position: PastPosition,
  work: (tables: Generation) => Promise<T>,
): Promise<T> {
  return withMaintenanceLock(context.db, async () => {
    await dropLeftovers(context.db);
    const live = await findLiveGeneration(context);
    if (live === undefined) throw new Fault('missing', 'replay.no-live', 'there are no read tables yet');
    const reached = await offsetsOf(context.db, live);
    const requested = 'time' in position ? await offsetsAt(context, position.time, reached) : position.offsets;
    await requireKnown(context, requested);
    const until = new Map([...reached].map(([partition, offset]) => [partition, requested.get(partition) ?? offset]));
    const tables = await makeGeneration(context, 'scratch', { keepsPast: false });
    try {
      await replayTo(context, tables, until, { keepDeadLetters: false });
      return await work(tables);
    } finally {
      await new Generations(context.db).drop(tables);
    }
  });
}

/** Throws `replay.position` if a snapshot may have removed records that were appended after `time`. */
async function offsetsAt(
  { db, log }: ReplayContext,
  time: number,
  reached: ReadonlyMap<number, number>,
): Promise<Map<number, number>> {
  const since = await log.offsetsSince(time);
  const { tails } = await log.extent();
  const wholeSince = (await lastSnapshotAt(db)) ?? 0;
  for (const [partition, offset] of since) {
    if (tails.get(partition) === 1 || offset > (tails.get(partition) ?? 1) || time >= wholeSince) continue;
    throw new Fault(
      'malformed',
      'replay.position',
      `the log no longer knows how partition ${partition} was at ${new Date(time).toISOString()}: a snapshot has removed records of that time`,
      { hint: 'Ask for a later time.' },
    );
  }
  return new Map(
    [...since].map(([partition, offset]) => [partition, Math.min(offset, reached.get(partition) ?? offset)]),
  );
}
