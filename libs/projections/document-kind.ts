import type { LogRecord } from '#log';
import type { IsoTime, WireDocument } from '#wire';
import type { BatchParts } from './batch-parts';
import type { BatchStep } from './batch-steps';
import type { NodeState } from './node-state';
import type { RecordOutcome } from './record-outcomes';
import type { StoredCheck } from './stored/stored-check';

/** How the projector handles one kind of document. `document-kinds.ts` lists all kinds. */
export interface DocumentKind<D extends WireDocument> {
  /** The step of a batch in which such documents are read. */
  readonly readStep: BatchStep;
  /** Each node has only one such document: a newer one replaces it. */
  readonly replaces?: true;
  /** Folds the document over its node, and gives it to the parts of the batch where it counts. */
  apply(document: D, folding: Folding): RecordOutcome;
  /**
   * About how many bytes of memory the document takes while its rows are made and written, beside its text. A batch ends when its
   * documents weigh enough: some say in a few bytes what takes megabytes. Default: 0.
   */
  weigh?(document: D): number;
  /** How an import detects that a document is already stored. Default: the import always appends it. */
  readonly stored?: StoredCheck<D>;
}

/** A document's record, its node, and the batch that it is part of. */
export interface Folding {
  readonly record: LogRecord;
  /** When the record was received. */
  readonly receivedAt: IsoTime;
  readonly state: NodeState;
  readonly parts: BatchParts;
}

export const appliedIf = (counts: boolean): RecordOutcome => (counts ? 'applied' : 'ignored');
