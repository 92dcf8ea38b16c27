import type { Span, Tracing } from '#observe';
import type { CurrentBatch } from './crash-recovery';

/** One span for each batch of a projector thread, from what it reports. */
export class BatchSpans {
  /** By lane. */
  private readonly current = new Map<number, Span>();

  constructor(private readonly tracing: Tracing) {}

  begin(lane: number, { records, ranges }: CurrentBatch): void {
    // The one before it was rolled back: it is tried again, or in smaller parts.
    this.end(lane, 'rolled-back');
    const partitions = ranges.length;
    const span = this.tracing.start('project batch', {
      attributes: { 'nodeledger.batch.records': records, 'nodeledger.batch.partitions': partitions },
    });
    this.current.set(lane, span);
  }

  committed(lane: number, records: number): void {
    this.current.get(lane)?.set({ 'nodeledger.batch.applied': records });
    this.end(lane);
  }

  /** The thread is gone. */
  ended(): void {
    for (const lane of [...this.current.keys()]) this.end(lane, 'projector.ended');
  }

  private end(lane: number, failure?: string): void {
    this.current.get(lane)?.end(failure);
    this.current.delete(lane);
  }
}
