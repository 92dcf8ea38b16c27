import type { Database } from '#database';
import { countWaitingLetters } from '#projections';
import { amount } from '../amounts';
import type { Finding } from './finding';

const check = 'dead letters';

export async function checkLetters(db: Database): Promise<Finding> {
  const { letters } = await countWaitingLetters(db);
  if (letters === 0) return { check, level: 'ok', text: 'No dead letters.' };
  return {
    check,
    level: 'warning',
    text: `${amount(letters, 'dead letter')}.`,
    remedy: 'List them with `nodeledger dead-letters list`, then retry or purge them.',
  };
}
