import type { NewRecord } from '../record';

export type StoredRecord<R extends NewRecord = NewRecord> = R & {
  /** Bytes of the original payload. Present only if the log has compressed or divided the payload. */
  readonly plainBytes?: number;
  /** References to the sections of the payload (`section-list.ts`), which are stored in `epoch`. */
  readonly sections?: Buffer;
  readonly epoch?: number;
};
