import { Command } from '@nestjs/cqrs';
import type { LetterSelection } from '../retry/retry-dead-letters';

/** Gives up rejected commands for good: they leave the list, and their payloads are dropped from it. */
export class PurgeDeadLetters extends Command<{ readonly purged: number }> {
  constructor(readonly wanted: LetterSelection) {
    super();
  }
}
