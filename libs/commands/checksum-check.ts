import { checksumMatches, checksumRefused } from './checksum';
import type { Submission } from './submission';

/** `warn`: accepted, counted and told once a minute. `refuse`: answered 400. `ignore`: not looked at. */
export type ChecksumPolicy = 'warn' | 'refuse' | 'ignore';

export interface ChecksumOptions {
  readonly policy: ChecksumPolicy;
  /** Told at most once a minute how many wrong checksums there were since the last time. */
  readonly onMismatch?: (count: number) => void;
}

const tellEveryMs = 60_000;
/** Payload bytes that wait to be looked at; beyond, commands pass without a look where wrong checksums are only told. */
const mostWaitingBytes = 32 << 20;

/** What happens with the checksums of submissions. */
export class ChecksumCheck {
  /** Submissions with a wrong checksum since the start. */
  mismatches = 0;
  private untold = 0;
  private waitingBytes = 0;
  /** One look after the other: however many commands arrive, hashing takes one processor's time at most. */
  private last: Promise<unknown> = Promise.resolve();
  private toldAt = -Infinity;
  /** Set while there is something to report and the minute is not over. */
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ChecksumOptions) {}

  /**
   * Resolves once the command may be accepted: where wrong checksums are only told, at once. Faults, where they are
   * refused: `command.invalid`, and those of a payload that cannot be inflated.
   */
  async check(submission: Submission, maxBytes: number): Promise<void> {
    const { checksum } = submission;
    const { policy } = this.options;
    if (checksum === undefined || policy === 'ignore') return;
    const sent = { ...submission, checksum };
    if (policy === 'refuse') {
      if (await this.inTurn(() => checksumMatches(sent, maxBytes))) return;
      this.count();
      throw checksumRefused(sent);
    }
    const bytes = sent.payload.length;
    if (this.waitingBytes + bytes > mostWaitingBytes) return;
    this.waitingBytes += bytes;
    void this.inTurn(() => checksumMatches(sent, maxBytes))
      // A payload that cannot be inflated becomes a dead letter, with or without a checksum.
      .catch(() => true)
      .then((matches) => {
        this.waitingBytes -= bytes;
        if (!matches) this.count();
      });
  }

  /** Resolves when no checksum waits to be looked at. */
  async settled(): Promise<void> {
    while (this.waitingBytes > 0) await this.last.catch(() => undefined);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work, work);
    this.last = turn;
    return turn;
  }

  private count(): void {
    this.mismatches += 1;
    this.untold += 1;
    const dueInMs = this.toldAt + tellEveryMs - performance.now();
    if (dueInMs <= 0) this.report();
    else this.timer ??= setTimeout(() => this.report(), dueInMs).unref();
  }

  private report(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.toldAt = performance.now();
    this.options.onMismatch?.(this.untold);
    this.untold = 0;
  }
}
