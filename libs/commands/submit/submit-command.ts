import { Command } from '@nestjs/cqrs';
import type { WaitOptions } from '#database';
import type { RequestIdentity } from '#http';
import type { Position } from '#log';
import type { Completion } from '../completions';
import type { Submission } from '../submission';

/** Result of a submission. The record is durable. `completion` exists if the client waited. */
export interface Submitted {
  /** RFC 4122 text. */
  readonly uuid: string;
  /** Position in the log. */
  readonly position: Position;
  readonly completion?: Completion;
}

/** Appends one checked command to the log. */
export class SubmitCommand extends Command<Submitted> {
  constructor(
    readonly submission: Submission,
    /** Milliseconds since 1970. */
    readonly receivedAt: number,
    /**
     * The client that waits for completion. If the client disconnects, the wait ends, but the command stays in the log.
     */
    readonly client?: WaitOptions,
    readonly identity?: RequestIdentity,
  ) {
    super();
  }
}
