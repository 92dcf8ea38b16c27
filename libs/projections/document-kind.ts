import type { LogRecord } from '#log';
import type { IsoTime, WireDocument } from '#wire';
import type { BatchParts } from './batch-parts';
import type { BatchStep } from './batch-steps';
import type { NodeState } from './node-state';
import type { RecordOutcome } from './record-outcomes';
import type { StoredCheck } from './stored/stored-check';

/** Describes a kind of document for the projector. `document-kinds.ts` lists all kinds. */
export interface DocumentKind<D extends WireDocument> {
  /** Step of the batch in which documents of this kind are read. */
  readonly readStep: BatchStep;
  /** Set if a node has only one document of this kind, which a newer document replaces. */
  readonly replaces?: true;
  /**
   * Folds the document over its node. Adds the document to the parts of the batch, unless a newer document is stored.
   */
  apply(document: D, folding: Folding): RecordOutcome;
  /**
   * Returns the approximate memory in bytes that the document needs in addition to its text, because a few bytes of
   * text can represent megabytes. A batch ends at a limit on the sum. Default: 0.
   */
  weigh?(document: D): number;
  /** Tells an import whether a document is already stored. Default: the import always appends the document. */
  readonly stored?: StoredCheck<D>;
}

export interface Folding {
  readonly record: LogRecord;
  /** Time when the service received the record. */
  readonly receivedAt: IsoTime;
  readonly state: NodeState;
  readonly parts: BatchParts;
}

export const appliedIf = (counts: boolean): RecordOutcome => (counts ? 'applied' : 'ignored');
