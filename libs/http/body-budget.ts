import { Fault } from '#fault';
import { AddressShares } from '#limits';

/** An address that uses less than this is light. */
const lightBytes = 4 << 20;
/** Share of the budget for addresses that are not light. So two addresses cannot keep all others from sending small bodies. */
const shareOfHeavy = 0.75;

/** Limits the memory for the request bodies of all connections. One client address may use half of it. */
export class BodyBudget {
  private readonly held = new AddressShares();

  constructor(private readonly totalBytes: number) {}

  /** Number of bytes in use. */
  get heldBytes(): number {
    return this.held.taken;
  }

  /** Reserves bytes of a body. Returns false, and reserves nothing, if they do not fit. */
  take(address: string, bytes: number): boolean {
    const isLight = this.held.takenBy(address) + bytes <= Math.min(lightBytes, this.totalBytes / 8);
    const most = isLight ? this.totalBytes : this.totalBytes * shareOfHeavy;
    if (this.held.taken + bytes > most || !this.held.fitsShare(address, bytes, this.totalBytes)) return false;
    this.held.add(address, bytes);
    return true;
  }

  release(address: string, bytes: number): void {
    this.held.add(address, -bytes);
  }
}

/** Fault (503) for a request whose body does not fit in the budget. */
export const crowded = (): Fault =>
  new Fault('busy', 'http.crowded', 'The bodies of other requests use all the memory that is reserved for bodies.', {
    hint: 'Send the request again in a moment. The setting NODELEDGER_MAX_BODIES_IN_MEMORY changes its size.',
    details: { retryAfterSeconds: 2 },
  });
