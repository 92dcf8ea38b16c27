import { setTimeout as delay } from 'node:timers/promises';
import { isFault } from '#fault';

export interface WindowSize {
  readonly commands: number;
  readonly bytes: number;
}

/**
 * Limits on the concurrent appends of one import. The limits are far below the limit on all commands that wait for the
 * log, so that other clients can still submit. They are high enough that one commit stores many commands.
 */
const usualSize: WindowSize = { commands: 100, bytes: 8_000_000 };

const pauseMs = 250;
const longestFullMs = 60_000;

/** Limits the concurrent appends. Starts appends in the order of the calls of `add`. */
export class AppendWindow {
  private commands = 0;
  private bytes = 0;
  private failure: { readonly error: unknown } | undefined;
  private wake: (() => void) | undefined;

  constructor(private readonly size: WindowSize = usualSize) {}

  /**
   * Resolves when the append has started. Throws the error of an earlier append. Retries the append while the log is
   * full (`log.full`).
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

  /** Resolves when all appends are durable. Throws the error of a failed append. */
  async settled(): Promise<void> {
    while (this.commands > 0) await this.change();
    this.check();
  }

  /** Resolves when no append is running, even if an append has failed. */
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
