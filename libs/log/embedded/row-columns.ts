import type { NewRecord } from '../record';

export type StoredRecord<R extends NewRecord = NewRecord> = R & {
  /** Number of bytes of the original payload. Present only if the log has compressed the payload. */
  readonly plainBytes?: number;
  /** References to the sections of the payload (`section-list.ts`), and the epoch of these sections. */
  readonly sections?: Buffer;
  readonly epoch?: number;
};
