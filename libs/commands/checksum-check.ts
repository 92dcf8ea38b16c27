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

/** What happens with the checksums of submissions. */
export class ChecksumCheck {
  /** Submissions with a wrong checksum since the start. */
  mismatches = 0;
  private untold = 0;
  private toldAt = -Infinity;

  constructor(private readonly options: ChecksumOptions) {}

  /** Faults, where wrong ones are refused: `command.invalid`, and those of a payload that cannot be inflated. */
  async check(submission: Submission, maxBytes: number): Promise<void> {
    const { checksum } = submission;
    const { policy } = this.options;
    if (checksum === undefined || policy === 'ignore') return;
    const sent = { ...submission, checksum };
    if (policy === 'refuse') {
      if (await checksumMatches(sent, maxBytes)) return;
      this.count();
      throw checksumRefused(sent);
    }
    // A payload that cannot be inflated becomes a dead letter, with or without a checksum.
    if (!(await checksumMatches(sent, maxBytes).catch(() => true))) this.count();
  }

  private count(): void {
    this.mismatches += 1;
    this.untold += 1;
    const now = performance.now();
    if (now - this.toldAt < tellEveryMs) return;
    this.options.onMismatch?.(this.untold);
    this.toldAt = now;
    this.untold = 0;
  }
}
