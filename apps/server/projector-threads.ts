import { availableParallelism } from 'node:os';
import { availableMemory } from '#limits';
import type { Alerts, Log, Tracing } from '#observe';
import type { ServiceMeters } from './metrics/service-meters';
import type { Outages } from './outages';
import type { ProjectorTask } from './projector-messages';
import { ProjectorThread } from './projector-thread';
import { SharedAlert } from './shared-alert';

const mostByDefault = 4;
/** If clients send the largest documents, the heap of a thread can grow to 1.5 GB. Buffers need further memory. */
export const bytesPerThread = 2 * 2 ** 30;

/** Uses at most half of the processors, because the main thread and PostgreSQL need the other half. */
export function defaultProjectorThreads(processors = availableParallelism(), bytes = availableMemory()): number {
  return Math.max(1, Math.min(mostByDefault, processors >> 1, Math.floor(bytes / bytesPerThread)));
}

interface ProjectorThreadsOptions {
  readonly count: number;
  readonly task: ProjectorTask;
  readonly log: Log;
  readonly alerts: Alerts;
  readonly outages: Pick<Outages, 'report'>;
  readonly meters: Pick<ServiceMeters, 'addProjector'>;
  readonly tracing: Tracing;
}

/** All projectors, including those of other processes, share the partitions of the log. */
export class ProjectorThreads {
  private readonly threads: readonly ProjectorThread[];

  constructor({ count, task, log, alerts, outages, meters, tracing }: ProjectorThreadsOptions) {
    const alert = new SharedAlert(alerts, 'projector.ended');
    this.threads = Array.from(
      { length: count },
      () => new ProjectorThread({ task, log, alert, outages, meters: meters.addProjector(), tracing }),
    );
  }

  get running(): boolean {
    return this.threads.every((thread) => thread.running);
  }

  start(): void {
    for (const thread of this.threads) thread.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.stop()));
  }
}
