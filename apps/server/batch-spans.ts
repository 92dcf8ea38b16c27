import type { Span, Tracing } from '#observe';
import type { CurrentBatch } from './crash-recovery';

/** Creates one trace span for each batch of a projector thread. Messages from the thread begin and end the batches. */
export class BatchSpans {
  /** The open span of each slot. */
  private readonly current = new Map<number, Span>();

  constructor(private readonly tracing: Tracing) {}

  begin(slot: number, { records, ranges }: CurrentBatch): void {
    // If the previous batch of the slot is still open, PostgreSQL rolled it back. The slot tries its records again,
    // possibly in smaller batches.
    this.end(slot, 'rolled-back');
    const partitions = ranges.length;
    const span = this.tracing.start('project batch', {
      attributes: { 'nodeledger.batch.records': records, 'nodeledger.batch.partitions': partitions },
    });
    this.current.set(slot, span);
  }

  committed(slot: number, records: number): void {
    this.current.get(slot)?.set({ 'nodeledger.batch.applied': records });
    this.end(slot);
  }

  /** Ends all open spans, because the thread has ended. */
  ended(): void {
    for (const slot of [...this.current.keys()]) this.end(slot, 'projector.ended');
  }

  private end(slot: number, failure?: string): void {
    this.current.get(slot)?.end(failure);
    this.current.delete(slot);
  }
}
