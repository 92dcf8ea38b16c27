import { setTimeout as sleep } from 'node:timers/promises';

/** Spreads turns evenly: the n-th is given n / `perSecond` seconds after the first. No rate: every turn comes at once. */
export class Pace {
  private startedAt: number | undefined;
  private turns = 0;

  constructor(private readonly perSecond: number | undefined) {}

  async turn(): Promise<void> {
    if (this.perSecond === undefined) return;
    this.startedAt ??= performance.now();
    const due = this.startedAt + (1000 * this.turns++) / this.perSecond;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
  }
}
