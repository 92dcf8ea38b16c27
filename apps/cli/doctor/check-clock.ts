import { ClockGuard } from '#admin';
import type { Database } from '#database';
import { failure, type Finding } from './finding';

export async function checkClock(db: Database): Promise<Finding> {
  const { fault } = await new ClockGuard(db).check();
  if (fault !== undefined) return failure('clock', fault);
  return { check: 'clock', level: 'ok', text: 'The clocks of this machine and of the database agree.' };
}
