/** Times of requests, measured from the moment at which each was due. */
export class Latency {
  private readonly times: number[] = [];

  add(ms: number): void {
    this.times.push(ms);
  }

  get count(): number {
    return this.times.length;
  }

  /** Returns a quantile in milliseconds (`share` 0.99: the p99), or 0 without requests. */
  percentile(share: number): number {
    const sorted = [...this.times].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
  }
}
