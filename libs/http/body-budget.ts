import { Fault } from '#fault';
import { AddressShares } from '#limits';

/** While an address uses at most this many bytes, the whole budget is available to it. */
const lightBytes = 4 << 20;
/**
 * Share of the budget that is available to addresses that use more than `lightBytes`. The remaining part is kept for
 * the other addresses. Without it, two addresses could prevent all others from sending even small bodies.
 */
const heavyAddressShare = 0.75;

/** Limits the memory for the request bodies of all connections. One client address may use half of the budget. */
export class BodyBudget {
  private readonly held = new AddressShares();

  constructor(private readonly totalBytes: number) {}

  get heldBytes(): number {
    return this.held.taken;
  }

  /**
   * Reserves bytes for an address. If the budget has too few free bytes for this address, reserves nothing and returns
   * false.
   */
  take(address: string, bytes: number): boolean {
    const isLight = this.held.takenBy(address) + bytes <= Math.min(lightBytes, this.totalBytes / 8);
    const most = isLight ? this.totalBytes : this.totalBytes * heavyAddressShare;
    if (this.held.taken + bytes > most || !this.held.fitsShare(address, bytes, this.totalBytes)) return false;
    this.held.add(address, bytes);
    return true;
  }

  release(address: string, bytes: number): void {
    this.held.add(address, -bytes);
  }
}

export const crowded = (): Fault =>
  new Fault('busy', 'http.crowded', 'The bodies of other requests use all the memory that is reserved for bodies.', {
    hint: 'Send the request again in a moment. The setting NODELEDGER_MAX_BODIES_IN_MEMORY changes its size.',
    details: { retryAfterSeconds: 2 },
  });
