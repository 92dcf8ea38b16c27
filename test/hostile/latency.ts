/** Times of requests, from the moment at which each was due. */
export class Latency {
  private readonly times: number[] = [];

  add(ms: number): void {
    this.times.push(ms);
  }

  get count(): number {
    return this.times.length;
  }

  /** `share`: 0.99 for the time that all but one in a hundred keep. Milliseconds; 0 without any. */
  percentile(share: number): number {
    const sorted = [...this.times].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
  }
}
