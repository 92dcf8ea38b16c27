import type { LogRecord } from '#log';
import type { IsoTime, WireDocument } from '#wire';
import type { BatchParts } from './batch-parts';
import type { BatchStep } from './batch-steps';
import type { NodeState } from './node-state';
import type { RecordOutcome } from './record-outcomes';
import type { StoredCheck } from './stored/stored-check';

/** One kind of document in the projector. `document-kinds.ts` lists all kinds. */
export interface DocumentKind<D extends WireDocument> {
  /** Step of the batch in which such documents are read. */
  readonly readStep: BatchStep;
  /** A node has only one such document; a newer one replaces it. */
  readonly replaces?: true;
  /** Folds the document over its node, and adds it to the parts of the batch if it counts. */
  apply(document: D, folding: Folding): RecordOutcome;
  /**
   * Returns the approximate bytes of memory that the document needs in addition to its text, because a few bytes of text
   * can represent megabytes. A batch ends at a limit of the sum. Default: 0.
   */
  weigh?(document: D): number;
  /** Tells an import whether a document is already stored. Default: the import always appends it. */
  readonly stored?: StoredCheck<D>;
}

/** A document's record, its node and its batch. */
export interface Folding {
  readonly record: LogRecord;
  /** Time of receipt of the record. */
  readonly receivedAt: IsoTime;
  readonly state: NodeState;
  readonly parts: BatchParts;
}

export const appliedIf = (counts: boolean): RecordOutcome => (counts ? 'applied' : 'ignored');
