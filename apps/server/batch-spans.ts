import type { Span, Tracing } from '#observe';
import type { CurrentBatch } from './crash-recovery';

/** Makes one span for each batch of a projector thread from its messages. */
export class BatchSpans {
  /** Current span of each worker. */
  private readonly current = new Map<number, Span>();

  constructor(private readonly tracing: Tracing) {}

  begin(lane: number, { records, ranges }: CurrentBatch): void {
    // The previous batch was rolled back, and is tried again, possibly in smaller parts.
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

  /** The thread has ended. */
  ended(): void {
    for (const lane of [...this.current.keys()]) this.end(lane, 'projector.ended');
  }

  private end(lane: number, failure?: string): void {
    this.current.get(lane)?.end(failure);
    this.current.delete(lane);
  }
}
