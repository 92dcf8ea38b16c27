import { Command } from '@nestjs/cqrs';
import type { WaitOptions } from '#database';
import type { RequestIdentity } from '#http';
import type { Position } from '#log';
import type { Completion } from '../completions';
import type { Submission } from '../submission';

export interface Submitted {
  readonly uuid: string;
  readonly position: Position;
  readonly completion?: Completion;
}

export class SubmitCommand extends Command<Submitted> {
  constructor(
    readonly submission: Submission,
    /** Milliseconds since 1970. */
    readonly receivedAt: number,
    /** If this client disconnects, the wait ends, but the command stays in the log. */
    readonly client?: WaitOptions,
    readonly identity?: RequestIdentity,
  ) {
    super();
  }
}
