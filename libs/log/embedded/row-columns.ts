import type { NewRecord } from '../record';

/** The columns of a record. */
export type StoredRecord<R extends NewRecord = NewRecord> = R & {
  /** Length of the original payload, if the row stores it compressed. */
  readonly plainBytes?: number;
  /** References to the sections of the payload (`section-list.ts`), and the epoch of these sections. */
  readonly sections?: Buffer;
  readonly epoch?: number;
};
