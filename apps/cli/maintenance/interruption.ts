import { isFault } from '#fault';
import { ProgressDisplay } from './progress-display';

const echoMs = 500;
const stopped = 130;

export interface StoppableRun {
  readonly interruption: Interruption;
  readonly display: ProgressDisplay;
}

export const isStop = (error: unknown): boolean =>
  (isFault(error) && error.code === 'maintenance.stopped') || (error instanceof Error && error.name === 'AbortError');

/**
 * Lets the user stop `work` with Ctrl-C. If the user stops it, prints `afterStop`, sets the exit code to 130, and
 * returns undefined. `ends` returns true if an error of `work` is only a consequence of the stop.
 */
export async function stoppable<T>(
  afterStop: string | (() => string),
  work: (run: StoppableRun) => Promise<T>,
  ends: (error: unknown) => boolean = isStop,
): Promise<T | undefined> {
  const display = new ProgressDisplay();
  const interruption = new Interruption(display.say);
  try {
    return await work({ interruption, display });
  } catch (error) {
    display.end();
    if (!interruption.isRequested || !ends(error)) throw error;
    display.say(`stopped. ${typeof afterStop === 'string' ? afterStop : afterStop()}`);
    process.exitCode = stopped;
    return undefined;
  } finally {
    display.end();
    interruption.end();
  }
}

/**
 * On the first SIGINT or SIGTERM, aborts `signal`, so that the work stops after its current batch. On the second, ends
 * the process at once. If the service has started this process, the end of the connection to the service counts as the
 * first SIGTERM.
 */
class Interruption {
  private readonly stopping = new AbortController();
  private requestedAt = 0;
  private readonly onSignal = (signal: NodeJS.Signals): void => {
    // Ignores a quick second signal, because one Ctrl-C can arrive twice: from the terminal and from the parent process
    // (npm).
    if (this.requestedAt > 0 && Date.now() - this.requestedAt < echoMs) return;
    if (this.requestedAt > 0) process.exit(130);
    this.requestedAt = Date.now();
    this.say(`${signal}: stopping after the current batch; send the signal again to stop at once`);
    this.stopping.abort();
  };

  private readonly onDisconnect = (): void => {
    if (!this.isRequested) this.onSignal('SIGTERM');
  };

  constructor(private readonly say: (text: string) => void) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, this.onSignal);
    process.on('disconnect', this.onDisconnect);
    // Without `unref`, the listener would keep the process alive.
    process.channel?.unref();
    if (process.connected === false) this.onDisconnect();
  }

  /** True after a signal. A call of `abort` does not change this value. */
  get isRequested(): boolean {
    return this.requestedAt > 0;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  abort(): void {
    this.stopping.abort();
  }

  end(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, this.onSignal);
    process.removeListener('disconnect', this.onDisconnect);
  }
}
