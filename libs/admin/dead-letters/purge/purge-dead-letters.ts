import { Command } from '@nestjs/cqrs';
import type { LetterSelection } from '../retry/retry-dead-letters';

export class PurgeDeadLetters extends Command<{ readonly purged: number }> {
  constructor(readonly wanted: LetterSelection) {
    super();
  }
}
