/** Share of one client address, so that no client takes everything. */
const shareOfAddress = 0.5;

/** Counts how much of a limited amount all clients, and each client address, have taken. */
export class AddressShares {
  private readonly byAddress = new Map<string, number>();
  private all = 0;

  /** Amount that all addresses have taken. */
  get taken(): number {
    return this.all;
  }

  takenBy(address: string): number {
    return this.byAddress.get(address) ?? 0;
  }

  /** Returns whether `amount` more fits: in `most` for all clients, and in the share of the address. */
  fits(address: string | undefined, amount: number, most: number): boolean {
    return this.all + amount <= most && (address === undefined || this.fitsShare(address, amount, most));
  }

  /** Returns whether `amount` more fits in the share of the address. */
  fitsShare(address: string, amount: number, most: number): boolean {
    return this.takenBy(address) + amount <= Math.ceil(most * shareOfAddress);
  }

  /** Adds the amount, which is negative when it is returned. Without an address, only the total counts. */
  add(address: string | undefined, amount: number): void {
    this.all += amount;
    if (address === undefined) return;
    const own = this.takenBy(address) + amount;
    if (own === 0) this.byAddress.delete(address);
    else this.byAddress.set(address, own);
  }
}
