/** Bytes of inflated payloads of one batch. A larger payload stands alone. */
const batchBytes = 8 << 20;
/** What the documents of a batch may weigh in memory (`DocumentKind.weigh`). A heavier one ends its batch. */
const batchWeight = 160 << 20;

/**
 * The memory of batches that are applied at the same time. Usual batches have room beside each other. A payload that is larger
 * than a batch waits until it fits beside the other batches, or is alone. While there is a heavy batch, others decode nothing.
 */
export class BatchMemory {
  private used = 0;
  private heavy: object | undefined;
  private readonly waiting = new Set<() => void>();

  constructor(
    /** Batches at the same time. */
    private readonly batches = 1,
    private readonly bytes = batchBytes,
    private readonly weight = batchWeight / batches,
  ) {}

  /** For one batch. */
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
  /** The first payload of a batch: waits until it has room. */
  takeFirst(bytes: number): Promise<void>;
  /** Further payloads: false where the batch has no room for it. */
  take(bytes: number): boolean;
  /** Bytes that further payloads may have. */
  readonly free: number;
  /** Adds the weight of a document: false where the batch must end. */
  weigh(bytes: number): boolean;
  /** To be awaited before each document is decoded: waits while another batch is heavy. */
  beforeDecoding(): Promise<void>;
  /** Gives everything back. The share can be used again. */
  release(): void;
}
