import { availableParallelism } from 'node:os';
import { availableMemory, heapLimitMb } from '#limits';
import type { ReplayHandling, ReplayShare, ReplayThreads } from '#projections';
import { youngGenerationMb } from './garbage-collection';
import type { ProjectorTask } from './projector-messages';
import { bytesPerThread } from './projector-threads';
import { runReplayThread } from './replay-thread';

/** More threads would wait for PostgreSQL and take its connections. */
export const mostReplayThreads = 4;

/** One for each processor, because requests have a higher priority. */
export function defaultReplayThreads(processors = availableParallelism(), bytes = availableMemory()): number {
  return Math.max(1, Math.min(mostReplayThreads, processors, Math.floor(bytes / bytesPerThread)));
}

/** Task of a thread that replays a share of the log. */
export interface ReplayTask extends ProjectorTask {
  readonly share: ReplayShare;
}

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

  async replay(share: ReplayShare, handling: ReplayHandling): Promise<void> {
    const task: ReplayTask = { ...this.task, share };
    await runReplayThread('replay', task, handling, {
      maxOldGenerationSizeMb: heapLimitMb(this.task.maxCommandBytes),
      maxYoungGenerationSizeMb: youngGenerationMb,
    });
  }
}
