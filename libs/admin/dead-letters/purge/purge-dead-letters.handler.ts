import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DeadLetterStore } from '#projections';
import { requireWaiting } from '../require-waiting';
import { PurgeDeadLetters } from './purge-dead-letters';

/**
 * Removes dead letters from the list. The log keeps their commands, but a replay does not add them to the list again.
 * Throws `admin.no-letter` if the named dead letter does not exist.
 */
@CommandHandler(PurgeDeadLetters)
export class PurgeDeadLettersHandler implements ICommandHandler<PurgeDeadLetters> {
  constructor(private readonly letterStore: DeadLetterStore) {}

  async execute({ wanted }: PurgeDeadLetters): Promise<{ readonly purged: number }> {
    if ('matching' in wanted) return { purged: await this.letterStore.purgeMatching(wanted.matching) };
    const { letter } = wanted;
    if (!(await this.letterStore.purge(letter))) requireWaiting(letter, await this.letterStore.find(letter));
    return { purged: 1 };
  }
}
