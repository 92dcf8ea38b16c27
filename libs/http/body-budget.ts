import { Fault } from '#fault';
import { AddressShares } from '#limits';

/** Gives back what was taken. Further calls do nothing. */
type Release = () => void;

interface Waiting {
  readonly address: string;
  readonly bytes: number;
  readonly start: () => void;
}

/** The last part of the budget is kept for addresses that hold little, so that many greedy ones leave room for them. */
const lightBytes = 4 << 20;
const shareOfHeavy = 0.75;
const longestWaitMs = 5_000;

/**
 * Bounds the memory that request bodies take, over all connections together. Bodies on their way in take what arrives
 * and are refused when there is no room. Inflating takes its worst case before it begins, and waits a little for room.
 */
export class BodyBudget {
  private readonly held = new AddressShares();
  private readonly waiting = new Set<Waiting>();

  constructor(private readonly totalBytes: number) {}

  /** Bytes held at the moment. */
  get heldBytes(): number {
    return this.held.taken;
  }

  /** Takes bytes that have arrived. Returns false, and takes nothing, if they do not fit in the budget. */
  take(address: string, bytes: number): boolean {
    if (!this.hasRoom(address, bytes)) return false;
    this.held.add(address, bytes);
    return true;
  }

  release(address: string, bytes: number): void {
    this.held.add(address, -bytes);
    for (const one of this.waiting) {
      if (!this.hasRoom(one.address, one.bytes)) continue;
      this.waiting.delete(one);
      this.held.add(one.address, one.bytes);
      one.start();
    }
  }

  /** Waits until the bytes fit in the budget, and takes them. Faults: `http.crowded` (busy) if they do not fit within 5 seconds. */
  async reserve(address: string, bytes: number): Promise<Release> {
    if (!this.take(address, bytes)) await this.wait(address, bytes);
    let isHeld = true;
    return () => {
      if (isHeld) this.release(address, bytes);
      isHeld = false;
    };
  }

  private wait(address: string, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.waiting.delete(one);
        reject(crowded());
      }, longestWaitMs);
      const one: Waiting = {
        address,
        bytes,
        start: () => {
          clearTimeout(late);
          resolve();
        },
      };
      this.waiting.add(one);
    });
  }

  /** A request always fits in an empty budget, however large it is. Otherwise a very large one could never be read. */
  private hasRoom(address: string, bytes: number): boolean {
    const own = this.held.takenBy(address);
    if (own > 0 && !this.held.fitsShare(address, bytes, this.totalBytes)) return false;
    const isLight = own + bytes <= Math.min(lightBytes, this.totalBytes / 8);
    const all = this.held.taken;
    return all === 0 || all + bytes <= this.totalBytes * (isLight ? 1 : shareOfHeavy);
  }
}

/** 503: others' bodies take all the room at the moment. */
export const crowded = (): Fault =>
  new Fault('busy', 'http.crowded', 'The bodies of other requests use all the memory that is reserved for bodies.', {
    hint: 'Send the request again in a moment. The setting NODELEDGER_MAX_BODIES_IN_MEMORY changes its size.',
    details: { retryAfterSeconds: 2 },
  });
