/** Builds the read tables of a restored log. They become live when the whole log is applied. */
import { Generations } from '#database';
import { makeGeneration } from './rebuild';
import { replayTo } from './replay';
import type { ReplayContext } from './replay-context';

/** Applies the `total` records of the log. The caller holds the maintenance lock and has restored the dead letters. */
export async function fillRestored(context: ReplayContext, total: number): Promise<void> {
  const { db, log } = context;
  const next = await makeGeneration(context, 'rebuild');
  await replayTo(context, next, await log.ends(), { step: 'build the tables', total });
  await new Generations(db).switchTo(next, async () => undefined);
}
