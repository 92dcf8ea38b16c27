/**
 * Outcome of a record. `added`: applied, and its node had no such document (factset, catalog) before. `unchanged`: a
 * catalog with the stored content. `ignored`: something newer was stored already. `superseded`: a newer document of the
 * same batch replaced it. `rejected`: a dead letter.
 */
export type RecordOutcome = 'applied' | 'added' | 'unchanged' | 'ignored' | 'superseded' | 'rejected';

/** Collects the outcomes of a batch in the order of its records, for metrics and notifications only. */
export class RecordOutcomes {
  private readonly outcomes: RecordOutcome[] = [];
  /** Index of the newest document, by `replaces`. */
  private readonly newest = new Map<string, number>();

  get all(): readonly RecordOutcome[] {
    return this.outcomes;
  }

  rejected(): void {
    this.outcomes.push('rejected');
  }

  /** `replaces` identifies documents of the same kind and node; undefined if they do not replace each other. */
  folded(outcome: RecordOutcome, replaces: string | undefined): void {
    if (replaces !== undefined && outcome !== 'ignored') {
      const earlier = this.newest.get(replaces);
      if (earlier !== undefined) this.outcomes[earlier] = 'superseded';
      this.newest.set(replaces, this.outcomes.length);
    }
    this.outcomes.push(outcome);
  }
}
