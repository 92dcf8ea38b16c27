import type { Span, Tracing } from '#observe';
import type { CurrentBatch } from './crash-recovery';

/** One span for each batch of the projector, from what its thread tells. */
export class BatchSpans {
  private current: Span | undefined;

  constructor(private readonly tracing: Tracing) {}

  begin({ records, ranges }: CurrentBatch): void {
    // The one before it was rolled back: it is tried again, or in smaller parts.
    this.end('rolled-back');
    const partitions = ranges.length;
    this.current = this.tracing.start('project batch', {
      attributes: { 'nodeledger.batch.records': records, 'nodeledger.batch.partitions': partitions },
    });
  }

  committed(records: number): void {
    this.current?.set({ 'nodeledger.batch.applied': records });
    this.end();
  }

  /** The thread is gone. */
  ended(): void {
    this.end('projector.ended');
  }

  private end(failure?: string): void {
    this.current?.end(failure);
    this.current = undefined;
  }
}
