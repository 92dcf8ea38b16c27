/** Replays the log into separate tables, and compares them with the live tables at the same position. */
import { Generations, withMaintenanceLock } from '#database';
import { Fault } from '#fault';
import { atOnePosition, followLive } from './at-one-position';
import { compareGenerations, type Comparison } from './compare-generations';
import { checkBelongs, dropLeftovers, findLiveGeneration, makeGeneration, tablesDone } from './rebuild';
import { offsetsOf } from './replay';
import { refuseOtherForm } from './refuse-other-form';
import type { ReplayContext } from './replay-context';

interface VerifyOptions {
  readonly mostNamed?: number;
}

export interface Verdict extends Comparison {
  readonly records: number;
  readonly seconds: number;
}

/**
 * Throws `replay.no-live`, `replay.projection-version`, `replay.foreign-log`, `replay.shorter-log`, `maintenance.busy`
 * or `maintenance.stopped`.
 */
export async function verify(context: ReplayContext, { mostNamed }: VerifyOptions = {}): Promise<Verdict> {
  return withMaintenanceLock(context.db, async () => {
    const startedAt = performance.now();
    await dropLeftovers(context.db);
    const live = await findLiveGeneration(context);
    if (live === undefined) throw new Fault('missing', 'replay.no-live', 'there are no read tables to verify');
    refuseOtherForm(live, 'Verify with the program that made them, or rebuild.');
    await checkBelongs(context, live);
    const options = { keepDeadLetters: false };
    const scratch = await makeGeneration(context, 'scratch');
    try {
      const records = await followLive(context, scratch, () => offsetsOf(context.db, live), options);
      const comparison = await atOnePosition(
        context,
        scratch,
        (session) =>
          compareGenerations(session, live, scratch, {
            ...(mostNamed !== undefined && { mostNamed }),
            onTable: tablesDone(context),
          }),
        options,
      );
      return { ...comparison, records, seconds: (performance.now() - startedAt) / 1000 };
    } finally {
      await new Generations(context.db).drop(scratch);
    }
  });
}
