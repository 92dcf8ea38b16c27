/** Share of a total that one client address may use. The rest remains for other clients. */
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

  /** Returns whether `amount` more can be taken. Without an address, only the total is checked. */
  fits(address: string | undefined, amount: number, most: number): boolean {
    return this.all + amount <= most && (address === undefined || this.fitsShare(address, amount, most));
  }

  fitsShare(address: string, amount: number, most: number): boolean {
    return this.takenBy(address) + amount <= Math.ceil(most * shareOfAddress);
  }

  /**
   * Adds `amount` to the amount that this address uses, and to the total. The caller releases an earlier amount by
   * adding its negative. Without an address, only the total changes.
   */
  add(address: string | undefined, amount: number): void {
    this.all += amount;
    if (address === undefined) return;
    const own = this.takenBy(address) + amount;
    if (own === 0) this.byAddress.delete(address);
    else this.byAddress.set(address, own);
  }
}
