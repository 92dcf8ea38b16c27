import { Command } from '@nestjs/cqrs';
import type { WaitOptions } from '#database';
import type { RequestIdentity } from '#http';
import type { Position } from '#log';
import type { Completion } from '../completions';
import type { Submission } from '../submission';

/** What became of a submission: it is durable; `completion` is there if the client wanted to wait. */
export interface Submitted {
  /** RFC 4122 text. */
  readonly uuid: string;
  /** Where in the log it is. */
  readonly position: Position;
  readonly completion?: Completion;
}

/** Puts one checked command into the log. */
export class SubmitCommand extends Command<Submitted> {
  constructor(
    readonly submission: Submission,
    /** Epoch milliseconds. */
    readonly receivedAt: number,
    /** Who waits for completion. When the client leaves, the wait ends; the command stands. */
    readonly client?: WaitOptions,
    readonly identity?: RequestIdentity,
  ) {
    super();
  }
}
