/** Limit on the inflated bytes of a batch. A larger payload is alone in its batch. */
const batchBytes = 8 << 20;
/**
 * Limit on the memory of the documents in a batch. The document that exceeds the limit is the last document of its
 * batch.
 */
const batchWeight = 160 << 20;

/**
 * Memory for batches that are applied at the same time. If a batch exceeds `batchWeight`, other batches decode nothing
 * until this batch ends.
 */
export class BatchMemory {
  private used = 0;
  private heavy: object | undefined;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly batches = 1,
    private readonly bytes = batchBytes,
    private readonly weight = batchWeight / batches,
  ) {}

  share(): MemoryShare {
    let own = 0;
    let weight = 0;
    const free = (): number => Math.max(0, this.bytes - own);
    const share: MemoryShare = {
      takeFirst: async (bytes) => {
        while (this.used > 0 && this.used + bytes > this.bytes * this.batches) await this.change();
        own += bytes;
        this.used += bytes;
      },
      take: (bytes) => {
        if (bytes > free()) return false;
        own += bytes;
        this.used += bytes;
        return true;
      },
      get free() {
        return free();
      },
      weigh: (more) => {
        weight += more;
        if (weight < this.weight) return true;
        this.heavy ??= share;
        return false;
      },
      beforeDecoding: async () => {
        while (this.heavy !== undefined && this.heavy !== share) await this.change();
      },
      release: () => {
        this.used -= own;
        [own, weight] = [0, 0];
        if (this.heavy === share) this.heavy = undefined;
        for (const resolve of this.waiting) resolve();
        this.waiting.clear();
      },
    };
    return share;
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.waiting.add(resolve));
  }
}

export interface MemoryShare {
  /** Waits until the other batches leave enough memory for the payload, or until no other batch uses memory. */
  takeFirst(bytes: number): Promise<void>;
  take(bytes: number): boolean;
  readonly free: number;
  /** Returns false if the batch must end after this document. */
  weigh(bytes: number): boolean;
  /** Waits while another batch exceeds `batchWeight`. Call this method before each document is decoded. */
  beforeDecoding(): Promise<void>;
  release(): void;
}
