import type { WireDocument } from '#wire';

/**
 * What became of a record. `added`: applied, and its node had no such document (factset, catalog) before; `unchanged`: a catalog whose content was stored already; `ignored`: something newer was stored
 * already; `superseded`: it counted, but a newer one of the same batch took its place; `rejected`: a dead letter.
 */
export type RecordOutcome = 'applied' | 'added' | 'unchanged' | 'ignored' | 'superseded' | 'rejected';

/** Documents of which a node has one only: the newest takes the place of those before it. */
const replacing: ReadonlySet<WireDocument['kind']> = new Set(['facts', 'catalog', 'inputs']);

/** Collects the outcomes of a batch, in the order of its records. They are measured, and decide nothing. */
export class RecordOutcomes {
  private readonly outcomes: RecordOutcome[] = [];
  /** Of each node and kind, where the newest document stands. */
  private readonly newest = new Map<string, number>();

  get all(): readonly RecordOutcome[] {
    return this.outcomes;
  }

  rejected(): void {
    this.outcomes.push('rejected');
  }

  folded(node: string, kind: WireDocument['kind'], outcome: RecordOutcome): void {
    if (replacing.has(kind) && outcome !== 'ignored') {
      const key = `${kind} ${node}`;
      const earlier = this.newest.get(key);
      if (earlier !== undefined) this.outcomes[earlier] = 'superseded';
      this.newest.set(key, this.outcomes.length);
    }
    this.outcomes.push(outcome);
  }
}
