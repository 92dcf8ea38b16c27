import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { availableMemory, heapLimitMb } from '#limits';
import type { ReplayHandling, ReplayShare, ReplayThreads } from '#projections';
import { youngGenerationMb } from './garbage-collection';
import { receivedError } from './posted-error';
import { type ProjectorTask, stopMessage } from './projector-messages';
import { bytesPerThread } from './projector-threads';
import type { ReplayMessage, ReplayTask } from './replay-messages';

/** More threads would wait for PostgreSQL and take its connections. */
export const mostReplayThreads = 4;

/** One for each processor, because requests have a higher priority. */
export function defaultReplayThreads(processors = availableParallelism(), bytes = availableMemory()): number {
  return Math.max(1, Math.min(mostReplayThreads, processors, Math.floor(bytes / bytesPerThread)));
}

/**
 * Time for a thread to finish its batch before it is terminated. Records that it has not committed are replayed again.
 */
const longestEndMs = 15_000;

/** Replays shares of the log in threads, each with its own connections and reader. */
export class ThreadedReplays implements ReplayThreads {
  readonly count: number;

  /** `count` is the number from the settings; at most 4 are used. */
  constructor(
    private readonly task: ProjectorTask,
    count = defaultReplayThreads(),
  ) {
    this.count = Math.min(count, mostReplayThreads);
  }

  replay(share: ReplayShare, { signal, onRecords, onNotice }: ReplayHandling): Promise<void> {
    const workerData: ReplayTask = { ...this.task, share };
    const worker = new Worker(join(__dirname, 'replay-worker.js'), {
      workerData,
      name: 'replay',
      resourceLimits: {
        maxOldGenerationSizeMb: heapLimitMb(this.task.maxCommandBytes),
        maxYoungGenerationSizeMb: youngGenerationMb,
      },
    });
    let late: NodeJS.Timeout | undefined;
    const endSoon = (): void => {
      late ??= setTimeout(() => void worker.terminate(), longestEndMs);
    };
    const stop = (): void => {
      worker.postMessage(stopMessage);
      endSoon();
    };
    signal.addEventListener('abort', stop, { once: true });
    // The signal may have aborted before.
    if (signal.aborted) stop();
    return new Promise<void>((resolve, reject) => {
      let isDone = false;
      let failure: Error | undefined;
      const failed = (error: Error): void => {
        failure ??= error;
        endSoon();
      };
      worker.on('message', (message: ReplayMessage) => {
        if (message.kind === 'replayed') onRecords?.(message.records);
        else if (message.kind === 'notice') onNotice?.(message.text);
        else if (message.kind === 'failed') failed(receivedError(message.error));
        else {
          isDone = true;
          endSoon();
        }
      });
      worker.on('error', failed);
      worker.on('exit', (code) => {
        clearTimeout(late);
        signal.removeEventListener('abort', stop);
        // Only now has the thread stopped using the tables. Errors after a stop do not matter.
        if (isDone || signal.aborted) resolve();
        else reject(failure ?? new Error(`a thread of the replay ended with code ${code}`));
      });
    });
  }
}
