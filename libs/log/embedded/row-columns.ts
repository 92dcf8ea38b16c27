import type { NewRecord } from '../record';

export type StoredRecord<R extends NewRecord = NewRecord> = R & {
  /** Bytes of the original payload if the row stores the payload compressed. */
  readonly plainBytes?: number;
  /** References to the sections of the payload (`section-list.ts`), and the epoch of these sections. */
  readonly sections?: Buffer;
  readonly epoch?: number;
};
