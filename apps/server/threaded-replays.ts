import { availableParallelism } from 'node:os';
import { availableMemory, heapLimitMb } from '#limits';
import type { ReplayHandling, ReplayShare, ReplayThreads } from '#projections';
import { youngGenerationMb } from './garbage-collection';
import type { ProjectorTask } from './projector-messages';
import { bytesPerThread } from './projector-threads';
import { runReplayThread } from './replay-thread';

/** Further threads would only wait for PostgreSQL and occupy connections. */
export const mostReplayThreads = 4;

/** Threads may use all processors, because they run at a lower priority than requests. */
export function defaultReplayThreads(processors = availableParallelism(), bytes = availableMemory()): number {
  return Math.max(1, Math.min(mostReplayThreads, processors, Math.floor(bytes / bytesPerThread)));
}

export interface ReplayTask extends ProjectorTask {
  readonly share: ReplayShare;
}

export class ThreadedReplays implements ReplayThreads {
  readonly count: number;

  constructor(
    private readonly task: ProjectorTask,
    count = defaultReplayThreads(),
  ) {
    this.count = Math.min(count, mostReplayThreads);
  }

  async replay(share: ReplayShare, handling: ReplayHandling): Promise<void> {
    const task: ReplayTask = { ...this.task, share };
    await runReplayThread('replay', task, handling, {
      maxOldGenerationSizeMb: heapLimitMb(this.task.limits.commandBytes),
      maxYoungGenerationSizeMb: youngGenerationMb,
    });
  }
}
