import type { Span, Tracing } from '#observe';
import type { CurrentBatch } from './crash-recovery';

/** Creates one trace span for each batch of a projector thread. Messages from the thread begin and end the batches. */
export class BatchSpans {
  /** The open span of each worker, by the number of the worker (lane). */
  private readonly current = new Map<number, Span>();

  constructor(private readonly tracing: Tracing) {}

  begin(lane: number, { records, ranges }: CurrentBatch): void {
    // If the previous batch of the worker is still open, PostgreSQL rolled it back. The worker tries its records again,
    // possibly in smaller batches.
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

  /** Ends all open spans, because the thread has ended. */
  ended(): void {
    for (const lane of [...this.current.keys()]) this.end(lane, 'projector.ended');
  }

  private end(lane: number, failure?: string): void {
    this.current.get(lane)?.end(failure);
    this.current.delete(lane);
  }
}
