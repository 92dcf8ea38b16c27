/** After a restore: read tables from the log, where there are none yet. They become live when they have the whole log. */
import { Generations } from '#database';
import { FatalRecords } from '../dead-letters/fatal-records';
import { makeGeneration } from './rebuild';
import { replayTo } from './replay';
import type { ReplayContext } from './replay-context';

/** Gives the number of records that were applied. The caller has the maintenance lock; the dead letters are there already. */
export async function fillRestored(context: ReplayContext): Promise<number> {
  const { db, log } = context;
  const next = await makeGeneration(context, 'rebuild');
  const fatal = await FatalRecords.load(db);
  const records = await replayTo(context, next, await log.ends(), { step: 'build the tables', fatal });
  await new Generations(db).switchTo(next, async () => undefined);
  return records;
}
