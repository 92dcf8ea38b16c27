import { checksumMatches, checksumRefused } from './checksum';
import type { Submission } from './submission';

/**
 * Policy for commands with a wrong checksum. `warn` accepts and counts them. `refuse` answers 400. `ignore` does not
 * check checksums.
 */
export type ChecksumPolicy = 'warn' | 'refuse' | 'ignore';

export interface ChecksumOptions {
  readonly policy: ChecksumPolicy;
  /** Called at most once a minute with the number of wrong checksums since the last call. */
  readonly onMismatch?: (count: number) => void;
}

const reportEveryMs = 60_000;
/**
 * Largest number of payload bytes that wait for a check. If a command would exceed this limit, the policy `warn`
 * accepts the command without a check.
 */
const mostWaitingBytes = 32 << 20;

export class ChecksumCheck {
  mismatches = 0;
  private unreported = 0;
  private waitingBytes = 0;
  /** Checks run one after another, so that hashing takes at most one processor. */
  private last: Promise<unknown> = Promise.resolve();
  private reportedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ChecksumOptions) {}

  /**
   * Waits for the check only if the policy is `refuse`. Throws `command.invalid` if the policy is `refuse` and the
   * checksum is wrong. Also throws the faults of `inflate`.
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
      // Reports no mismatch if the payload cannot be decompressed. Such a command becomes a dead letter.
      .catch(() => true)
      .then((matches) => {
        this.waitingBytes -= bytes;
        if (!matches) this.count();
      });
  }

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
    this.unreported += 1;
    const dueInMs = this.reportedAt + reportEveryMs - performance.now();
    if (dueInMs <= 0) this.report();
    else this.timer ??= setTimeout(() => this.report(), dueInMs).unref();
  }

  private report(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.reportedAt = performance.now();
    this.options.onMismatch?.(this.unreported);
    this.unreported = 0;
  }
}
