import type { Span, Tracing } from '#observe';
import type { CurrentBatch } from './crash-recovery';

export class BatchSpans {
  private readonly current = new Map<number, Span>();

  constructor(private readonly tracing: Tracing) {}

  begin(slot: number, { records, ranges }: CurrentBatch): void {
    // If the slot's previous span is still open, PostgreSQL has rolled back the batch of that span, and the slot now
    // tries the same records again.
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

  ended(): void {
    for (const slot of [...this.current.keys()]) this.end(slot, 'projector.ended');
  }

  private end(slot: number, failure?: string): void {
    this.current.get(slot)?.end(failure);
    this.current.delete(slot);
  }
}
