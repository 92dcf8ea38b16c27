import type { BatchFigures, CommandFigures } from './batch-figures';
import type { CommandMeters } from './command-meters';
import { ProjectorThreadMeters } from './thread-meters';

interface SharedMeters {
  batchCommitted(batch: BatchFigures): void;
  metersOf(figures: CommandFigures): readonly CommandMeters[];
}

export class ProjectorMeters {
  readonly thread: ProjectorThreadMeters;
  /** Figures of the batch that each worker will retry, by the number of the worker (lane). */
  private readonly waiting = new Map<number, readonly CommandFigures[]>();

  constructor(
    private readonly shared: SharedMeters,
    /** Number of the thread; the first is 1. */
    number: number,
  ) {
    this.thread = new ProjectorThreadMeters(number === 1 ? 'projector' : `projector-${number}`);
  }

  batchWaits(lane: number, waiting: readonly CommandFigures[]): void {
    this.nothingWaits(lane);
    this.waiting.set(lane, waiting);
    for (const figures of waiting) {
      const commands = figures.queueMs.length;
      for (const meters of this.shared.metersOf(figures)) {
        meters.awaitingRetry.add(commands);
        meters.retried.mark(commands);
      }
    }
  }

  batchCommitted(lane: number, batch: BatchFigures): void {
    this.nothingWaits(lane);
    this.shared.batchCommitted(batch);
  }

  /**
   * Call it when the thread has ended. The next thread begins the waiting batches again, so they no longer count as
   * waiting for a retry.
   */
  ended(): void {
    for (const lane of [...this.waiting.keys()]) this.nothingWaits(lane);
    this.thread.ended();
  }

  private nothingWaits(lane: number): void {
    for (const figures of this.waiting.get(lane) ?? [])
      for (const meters of this.shared.metersOf(figures)) meters.awaitingRetry.add(-figures.queueMs.length);
    this.waiting.delete(lane);
  }
}
