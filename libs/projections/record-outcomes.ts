/**
 * `added`: the node had no such document (factset, catalog) before. `unchanged`: a catalog equals the stored catalog.
 * `ignored`: a newer document was stored. `superseded`: a newer document in the same batch replaced the document.
 * `rejected`: the record is a dead letter.
 */
export type RecordOutcome = 'applied' | 'added' | 'unchanged' | 'ignored' | 'superseded' | 'rejected';

/** Outcomes in the order of the records. Only metrics and notifications use the outcomes. */
export class RecordOutcomes {
  private readonly outcomes: RecordOutcome[] = [];
  private readonly newest = new Map<string, number>();

  get all(): readonly RecordOutcome[] {
    return this.outcomes;
  }

  rejected(): void {
    this.outcomes.push('rejected');
  }

  /**
   * `replaces` identifies the kind and the node. It is undefined if documents of this kind do not replace each other.
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
