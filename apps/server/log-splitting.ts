import { join } from 'node:path';
import { type NewRecord, type SplitDocument, type SplitPayload, Splitter, type SplitTask } from '#log';
import { TaskThread } from '#threads';
import { commandsWithSections, documentSections } from '#wire';

const leastBytes = 1 << 10;
const mostBytes = 4 << 20;
/**
 * Largest number of payload bytes that wait for the thread. A payload that exceeds this limit is stored without being
 * split, so that no command waits long.
 */
const mostWaitingBytes = 16 << 20;
const heapMb = 128;

type Given = Pick<NewRecord, 'command' | 'payload'>;

const takes = ({ command, payload: { length } }: Given): boolean =>
  length >= leastBytes && length <= mostBytes && commandsWithSections.includes(command);

/** Splits documents in the calling thread. Programs that only copy records use this function. */
export function splitHere(): SplitPayload {
  const splitter = new Splitter(documentSections);
  return { takes, split: (task) => splitter.split(task) };
}

export class SplittingThread implements SplitPayload {
  private readonly thread = new TaskThread<SplitTask, SplitDocument | undefined>(
    'splitting',
    join(__dirname, 'log-splitting-worker.js'),
    heapMb,
  );
  private waiting = 0;

  takes(record: Given): boolean {
    return takes(record) && this.waiting + record.payload.length <= mostWaitingBytes;
  }

  async split(task: SplitTask): Promise<SplitDocument | undefined> {
    const { length } = task.payload;
    this.waiting += length;
    try {
      return await this.thread.perform(task, {});
    } finally {
      this.waiting -= length;
    }
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
