/** The rest stays available for other clients. */
const shareOfAddress = 0.5;

export class AddressShares {
  private readonly byAddress = new Map<string, number>();
  private all = 0;

  get taken(): number {
    return this.all;
  }

  takenBy(address: string): number {
    return this.byAddress.get(address) ?? 0;
  }

  /** Without an address, checks only the total. */
  fits(address: string | undefined, amount: number, most: number): boolean {
    return this.all + amount <= most && (address === undefined || this.fitsShare(address, amount, most));
  }

  fitsShare(address: string, amount: number, most: number): boolean {
    return this.takenBy(address) + amount <= Math.ceil(most * shareOfAddress);
  }

  /** `amount` is negative if a client returns something. Without an address, changes only the total. */
  add(address: string | undefined, amount: number): void {
    this.all += amount;
    if (address === undefined) return;
    const own = this.takenBy(address) + amount;
    if (own === 0) this.byAddress.delete(address);
    else this.byAddress.set(address, own);
  }
}
