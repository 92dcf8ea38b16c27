import type { NewRecord } from '../../record';
import type { SplitDocument, SplitTask } from './splitter';

/** Splits documents, so that the log stores their large sections once. */
export interface SplitPayload {
  /** Returns false for records that the log stores whole. */
  takes(record: Pick<NewRecord, 'command' | 'payload'>): boolean;
  split(task: SplitTask): SplitDocument | undefined | Promise<SplitDocument | undefined>;
  close?(): Promise<void>;
}
