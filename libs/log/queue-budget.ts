interface QueueLimits {
  /** Most payload bytes that may wait; default 64 MB. A single larger one is taken where nothing else waits. */
  readonly bytes?: number | undefined;
  /** Most appends that may wait: one of a few bytes still takes a thousand with all that waits for it. Default 50,000. */
  readonly appends?: number | undefined;
}

/** The share of one queue. */
export interface QueueShare {
  /** False where it would take more than it may. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

interface Taken {
  bytes: number;
  appends: number;
}

/**
 * What may wait in all queues of a log together. Where there are several, none may take more than twice what is left free:
 * one that is stuck has two thirds at most, and however many are stuck, some room is left for the rest.
 */
export class QueueBudget {
  private readonly most: Taken;
  private readonly all: Taken = { bytes: 0, appends: 0 };
  private shares = 0;

  constructor({ bytes = 64 << 20, appends = 50_000 }: QueueLimits = {}) {
    this.most = { bytes, appends };
  }

  share(): QueueShare {
    this.shares += 1;
    const own: Taken = { bytes: 0, appends: 0 };
    return {
      take: (bytes) => {
        if (!this.admits(own, 'bytes', bytes) || !this.admits(own, 'appends', 1)) return false;
        for (const taken of [own, this.all]) {
          taken.bytes += bytes;
          taken.appends += 1;
        }
        return true;
      },
      giveBack: (bytes) => {
        for (const taken of [own, this.all]) {
          taken.bytes -= bytes;
          taken.appends -= 1;
        }
      },
    };
  }

  private admits(own: Taken, what: keyof Taken, more: number): boolean {
    const others = this.all[what] - own[what];
    const wanted = own[what] + more;
    if (this.all[what] === 0) return true;
    const free = this.most[what] - others - wanted;
    if (free < 0) return false;
    return this.shares === 1 || own[what] === 0 || wanted <= 2 * free;
  }
}
