import { setTimeout as delay } from 'node:timers/promises';
import { isFault } from '#fault';

export interface WindowSize {
  readonly commands: number;
  readonly bytes: number;
}

/**
 * Far less than the log's limit on waiting commands, so that other clients can submit commands during an import. Enough for
 * one commit to serve many commands.
 */
const usualSize: WindowSize = { commands: 100, bytes: 8_000_000 };

const pauseMs = 250;
/** After this time, a log that is still full ends the import. */
const longestFullMs = 60_000;

/** Has a bounded number of appends under way, in the order in which they were given. */
export class AppendWindow {
  private commands = 0;
  private bytes = 0;
  private failure: { readonly error: unknown } | undefined;
  private wake: (() => void) | undefined;

  constructor(private readonly size: WindowSize = usualSize) {}

  /**
   * Resolves when the append has begun. Faults: those of an earlier append. A log that is full (`log.full`) is waited for.
   */
  async add(bytes: number, append: () => Promise<unknown>): Promise<void> {
    while (this.commands > 0 && (this.commands >= this.size.commands || this.bytes + bytes > this.size.bytes))
      await this.change();
    this.check();
    this.commands += 1;
    this.bytes += bytes;
    void this.run(append).finally(() => {
      this.commands -= 1;
      this.bytes -= bytes;
      this.wake?.();
    });
  }

  /** Resolves when everything that was added is durable. Faults: those of the appends. */
  async settled(): Promise<void> {
    while (this.commands > 0) await this.change();
    this.check();
  }

  /** Resolves when nothing is under way any more, whatever became of it. */
  async ended(): Promise<void> {
    while (this.commands > 0) await this.change();
  }

  private change(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }

  private async run(append: () => Promise<unknown>): Promise<void> {
    const end = performance.now() + longestFullMs;
    for (;;) {
      try {
        await append();
        return;
      } catch (error) {
        const isFull = isFault(error) && error.code === 'log.full' && performance.now() < end;
        if (!isFull || this.failure !== undefined) {
          this.failure ??= { error };
          return;
        }
        await delay(pauseMs);
      }
    }
  }

  private check(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }
}
