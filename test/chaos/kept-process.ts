/** Runs the service and restarts it whenever it ends, as a service manager does. */
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceNotStarted, startService, type RunningService, type ServiceOptions } from '../e2e/service';

const pollMs = 100;
const againMs = 500;
/** Longer than any outage of the components that it needs. */
const startingMs = 120_000;

export class KeptProcess {
  kills = 0;
  /** Number of starts that failed because a component was down. */
  refused = 0;
  /** Number of times that the service ended without being killed. */
  endedItself = 0;
  private current: RunningService | undefined;
  private stopped = false;
  private readonly keeping: Promise<void>;
  private failure: unknown;

  constructor(private readonly options: ServiceOptions) {
    this.keeping = this.keep().catch((error: unknown) => void (this.failure = error));
  }

  /** The running service, if there is one. */
  async running(): Promise<RunningService> {
    for (const deadline = Date.now() + startingMs; ; await delay(pollMs)) {
      if (this.failure !== undefined) throw this.failure as Error;
      if (this.current !== undefined) return this.current;
      if (Date.now() > deadline) throw new Error(`no ${this.options.app} runs after ${startingMs / 1000} s`);
    }
  }

  /** Kills the service with SIGKILL. Does nothing while the service is being started. */
  async kill(): Promise<void> {
    const { current } = this;
    if (current === undefined) return;
    this.current = undefined;
    this.kills++;
    await current.kill();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.keeping;
    await this.current?.stop();
  }

  private async keep(): Promise<void> {
    while (!this.stopped) {
      const one = await this.start();
      if (one === undefined) return;
      this.current = one;
      while (!this.stopped && this.current === one && isAlive(one.pid)) await delay(pollMs);
      if (this.stopped || this.current !== one) continue;
      this.endedItself++;
      console.log(`a ${this.options.app} ended by itself: ${one.output().slice(-2000)}`);
      this.current = undefined;
    }
  }

  /** Undefined after the test has stopped the service. */
  private async start(): Promise<RunningService | undefined> {
    for (const deadline = Date.now() + startingMs; ; await delay(againMs)) {
      if (this.stopped) return undefined;
      try {
        return await startService(this.options);
      } catch (error) {
        if (!(error instanceof ServiceNotStarted) || Date.now() > deadline) throw error;
        this.refused++;
      }
    }
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
