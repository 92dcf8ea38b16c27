import type { NewRecord } from '../record';

/** A record as its row stores it. */
export type StoredRecord<R extends NewRecord = NewRecord> = R & {
  /** Length of the original payload, if the row stores it compressed. */
  readonly plainBytes?: number;
  /** The sections that the payload does not have (`section-list.ts`), and the epoch in which they are. */
  readonly sections?: Buffer;
  readonly epoch?: number;
};
