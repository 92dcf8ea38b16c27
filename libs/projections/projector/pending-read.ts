import type { LogRecord } from '#log';

/** Represents a running read. Callers can wait for the read repeatedly, each time for a limited time. */
export class PendingRead {
  private isSettled = false;
  private wake: (() => void) | undefined;

  constructor(private readonly records: Promise<LogRecord[]>) {
    const end = (): void => {
      this.isSettled = true;
      this.wake?.();
    };
    records.then(end, end);
  }

  get settled(): boolean {
    return this.isSettled;
  }

  /**
   * Returns the records, or undefined after `ms` milliseconds. Does not use `Promise.race`, which would add a handler
   * to the promise in each call.
   */
  async within(ms: number): Promise<LogRecord[] | undefined> {
    if (!this.isSettled) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.isSettled ? this.records : undefined;
  }
}
