interface QueueLimits {
  /** A larger payload is accepted if no other append waits. */
  readonly bytes?: number | undefined;
  /** Even a small append takes about 1 kB of memory. */
  readonly appends?: number | undefined;
}

export interface QueueShare {
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

interface Taken {
  bytes: number;
  appends: number;
}

/**
 * Limits the waiting appends of all queues of a log together. If there are several queues, each queue may take at most
 * twice the space that remains free. So one stuck queue takes at most two thirds of the space, and several stuck queues
 * leave some space free.
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
