import { Generations } from '#database';
import { makeGeneration } from './rebuild';
import { replayTo } from './replay';
import type { ReplayContext } from './replay-context';

/** The caller must hold the maintenance lock and must have restored the dead letters. */
export async function fillRestored(context: ReplayContext, total: number): Promise<void> {
  const { db, log } = context;
  const next = await makeGeneration(context, 'rebuild');
  await replayTo(context, next, await log.ends(), { step: 'build the tables', total });
  await new Generations(db).switchTo(next, async () => undefined);
}
