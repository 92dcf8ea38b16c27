/** A client address may have this part of what all clients may have, so that no single client takes everything. */
const shareOfAddress = 0.5;

/** Counts what is taken of a bounded amount: by all clients, and by each client address. */
export class AddressShares {
  private readonly byAddress = new Map<string, number>();
  private all = 0;

  /** What all addresses have taken. */
  get taken(): number {
    return this.all;
  }

  takenBy(address: string): number {
    return this.byAddress.get(address) ?? 0;
  }

  /** Whether all clients stay within `most`, and the address within its share of it, if it takes `amount` more. */
  fits(address: string | undefined, amount: number, most: number): boolean {
    return this.all + amount <= most && (address === undefined || this.fitsShare(address, amount, most));
  }

  /** The same for the share of the address alone. */
  fitsShare(address: string, amount: number, most: number): boolean {
    return this.takenBy(address) + amount <= Math.ceil(most * shareOfAddress);
  }

  /** Takes the amount, or gives it back if it is negative. Without an address only the total counts. */
  add(address: string | undefined, amount: number): void {
    this.all += amount;
    if (address === undefined) return;
    const own = this.takenBy(address) + amount;
    if (own === 0) this.byAddress.delete(address);
    else this.byAddress.set(address, own);
  }
}
