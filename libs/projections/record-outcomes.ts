/**
 * What became of a record. `added`: applied, and its node had no such document (factset, catalog) before; `unchanged`: a catalog whose content was stored already; `ignored`: something newer was stored
 * already; `superseded`: it counted, but a newer one of the same batch took its place; `rejected`: a dead letter.
 */
export type RecordOutcome = 'applied' | 'added' | 'unchanged' | 'ignored' | 'superseded' | 'rejected';

/** Collects the outcomes of a batch, in the order of its records. They are measured, and decide nothing. */
export class RecordOutcomes {
  private readonly outcomes: RecordOutcome[] = [];
  /** By `replaces`, where the newest document stands. */
  private readonly newest = new Map<string, number>();

  get all(): readonly RecordOutcome[] {
    return this.outcomes;
  }

  rejected(): void {
    this.outcomes.push('rejected');
  }

  /** `replaces`: what the document takes the place of, those of its kind and node; undefined where each counts for itself. */
  folded(outcome: RecordOutcome, replaces: string | undefined): void {
    if (replaces !== undefined && outcome !== 'ignored') {
      const earlier = this.newest.get(replaces);
      if (earlier !== undefined) this.outcomes[earlier] = 'superseded';
      this.newest.set(replaces, this.outcomes.length);
    }
    this.outcomes.push(outcome);
  }
}
