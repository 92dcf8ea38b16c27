import type { LogRecord } from '#log';

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
   * Returns the records, or undefined after `ms` milliseconds. `Promise.race` would add a handler to the promise in
   * each call.
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
