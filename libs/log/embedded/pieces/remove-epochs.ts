import type { Database } from '#database';
import { epochOfOtherBase, forgetEpoch, passedEpochs, removeOfEpoch } from './piece-statements';

/** Rows that one statement deletes. The number is small, so that the statement takes few locks. */
const removedAtOnce = 5_000;

/**
 * The caller must have deleted the records of the epochs. If a call fails, the next call finishes the work. Appends can
 * continue, because they only add to the current epoch.
 */
export async function removePassedEpochs(db: Database): Promise<void> {
  let removed = 0;
  for (const { epoch } of await db.query<{ epoch: number }>(passedEpochs)) {
    removed += await removeEpoch(db, epoch);
    await db.query(forgetEpoch(epoch));
  }
  for (;;) {
    const [other] = await db.query<{ epoch: number }>(epochOfOtherBase);
    if (other === undefined) break;
    removed += await removeEpoch(db, other.epoch);
  }
  if (removed === 0) return;
  for (const table of tables) await db.query({ text: `VACUUM nodeledger.${table}`, values: [] });
}

/** Pieces are deleted first, because after an interruption the next call finds the epoch by its sections. */
const tables = ['log_pieces', 'log_sections'] as const;

export async function removeEpoch(db: Database, epoch: number): Promise<number> {
  let removed = 0;
  for (const table of tables) {
    for (;;) {
      const some = (await db.query(removeOfEpoch(table, epoch, removedAtOnce))).length;
      if (some === 0) break;
      removed += some;
    }
  }
  return removed;
}
