import type { NewRecord } from '../../record';
import type { SplitDocument, SplitTask } from './splitter';

export interface SplitPayload {
  /** Returns false if the log stores the record whole. */
  takes(record: Pick<NewRecord, 'command' | 'payload'>): boolean;
  split(task: SplitTask): SplitDocument | undefined | Promise<SplitDocument | undefined>;
  close?(): Promise<void>;
}
