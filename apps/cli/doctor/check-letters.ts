import type { Database } from '#database';
import { countWaitingLetters } from '#projections';
import type { Finding } from './finding';

const check = 'dead letters';

/** Commands that were rejected, and that nobody has decided on. */
export async function checkLetters(db: Database): Promise<Finding> {
  const { letters } = await countWaitingLetters(db);
  if (letters === 0) return { check, level: 'ok', text: 'No rejected command waits for a decision.' };
  return {
    check,
    level: 'warning',
    text:
      letters === 1 ? '1 rejected command waits for a decision.' : `${letters} rejected commands wait for a decision.`,
    remedy: 'List them with `nodeledger dead-letters list`, then retry or purge them.',
  };
}
