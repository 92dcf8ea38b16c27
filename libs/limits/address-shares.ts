/** Largest share of the limited amount that one client address may take. The rest stays available for other clients. */
const shareOfAddress = 0.5;

/** Counts how much of a limited amount all clients together have taken, and how much each client address has taken. */
export class AddressShares {
  private readonly byAddress = new Map<string, number>();
  private all = 0;

  get taken(): number {
    return this.all;
  }

  takenBy(address: string): number {
    return this.byAddress.get(address) ?? 0;
  }

  /**
   * Returns whether a client may take `amount`. All clients together may take `most`, and one address may take its
   * share of `most`. Without an address, only the total is checked.
   */
  fits(address: string | undefined, amount: number, most: number): boolean {
    return this.all + amount <= most && (address === undefined || this.fitsShare(address, amount, most));
  }

  fitsShare(address: string, amount: number, most: number): boolean {
    return this.takenBy(address) + amount <= Math.ceil(most * shareOfAddress);
  }

  /**
   * Adds to the amount that is taken. `amount` is negative if a client gives something back. Without an address,
   * changes only the total.
   */
  add(address: string | undefined, amount: number): void {
    this.all += amount;
    if (address === undefined) return;
    const own = this.takenBy(address) + amount;
    if (own === 0) this.byAddress.delete(address);
    else this.byAddress.set(address, own);
  }
}
