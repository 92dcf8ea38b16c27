import type { BatchFigures, CommandFigures } from './batch-figures';
import type { CommandMeters } from './command-meters';
import { ProjectorThreadMeters } from './thread-meters';

interface SharedMeters {
  batchCommitted(batch: BatchFigures): void;
  metersOf(figures: CommandFigures): readonly CommandMeters[];
}

export class ProjectorMeters {
  readonly thread: ProjectorThreadMeters;
  /** Keys are slots. Values are the figures of the batch that the slot will retry. */
  private readonly waiting = new Map<number, readonly CommandFigures[]>();

  constructor(
    private readonly shared: SharedMeters,
    number: number,
  ) {
    this.thread = new ProjectorThreadMeters(number === 1 ? 'projector' : `projector-${number}`);
  }

  batchWaits(slot: number, waiting: readonly CommandFigures[]): void {
    this.nothingWaits(slot);
    this.waiting.set(slot, waiting);
    for (const figures of waiting) {
      const commands = figures.queueMs.length;
      for (const meters of this.shared.metersOf(figures)) {
        meters.awaitingRetry.add(commands);
        meters.retried.mark(commands);
      }
    }
  }

  batchCommitted(slot: number, batch: BatchFigures): void {
    this.nothingWaits(slot);
    this.shared.batchCommitted(batch);
  }

  /**
   * The next thread starts these batches from the beginning, so they no longer count as batches that wait for a retry.
   */
  ended(): void {
    for (const slot of [...this.waiting.keys()]) this.nothingWaits(slot);
    this.thread.ended();
  }

  private nothingWaits(slot: number): void {
    for (const figures of this.waiting.get(slot) ?? [])
      for (const meters of this.shared.metersOf(figures)) meters.awaitingRetry.add(-figures.queueMs.length);
    this.waiting.delete(slot);
  }
}
