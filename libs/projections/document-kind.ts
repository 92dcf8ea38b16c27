import type { LogRecord } from '#log';
import type { IsoTime, WireDocument } from '#wire';
import type { BatchParts } from './batch-parts';
import type { BatchStep } from './batch-steps';
import type { NodeState } from './node-state';
import type { RecordOutcome } from './record-outcomes';
import type { StoredCheck } from './stored/stored-check';

export interface DocumentKind<D extends WireDocument> {
  readonly readStep: BatchStep;
  /** Set if a newer document of this kind replaces the node's older document. */
  readonly replaces?: true;
  /**
   * Folds the document into the state of its node. Adds the document to the parts of the batch if no newer document is
   * stored.
   */
  apply(document: D, folding: Folding): RecordOutcome;
  /**
   * Returns the approximate memory in bytes that the document needs in addition to its text, because a few bytes of
   * text can make megabytes of rows. A batch ends when the sum for its documents exceeds a limit. Default: 0.
   */
  weigh?(document: D): number;
  /** Finds out for an import whether a document is already stored. Default: the import appends every document. */
  readonly stored?: StoredCheck<D>;
}

export interface Folding {
  readonly record: LogRecord;
  readonly receivedAt: IsoTime;
  readonly state: NodeState;
  readonly parts: BatchParts;
}

export const appliedIf = (counts: boolean): RecordOutcome => (counts ? 'applied' : 'ignored');
