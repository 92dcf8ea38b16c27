/**
 * Outcome of a record. `added`: the record was applied, and its node had no such document (factset, catalog) before.
 * `unchanged`: a catalog equals the stored catalog. `ignored`: a newer document was stored. `superseded`: a newer
 * document of the same batch replaced it. `rejected`: the record is a dead letter.
 */
export type RecordOutcome = 'applied' | 'added' | 'unchanged' | 'ignored' | 'superseded' | 'rejected';

/** Collects the outcomes of a batch in the order of its records. Only metrics and notifications use them. */
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

  /**
   * Adds the outcome of a folded document. `replaces` identifies the kind and the node; undefined if documents of the
   * kind do not replace each other.
   */
  folded(outcome: RecordOutcome, replaces: string | undefined): void {
    if (replaces !== undefined && outcome !== 'ignored') {
      const earlier = this.newest.get(replaces);
      if (earlier !== undefined) this.outcomes[earlier] = 'superseded';
      this.newest.set(replaces, this.outcomes.length);
    }
    this.outcomes.push(outcome);
  }
}
