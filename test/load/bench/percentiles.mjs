/** Returns p50, p90, p95, p99 and the maximum of some numbers, or an empty object if there are none. */
export function percentiles(values) {
  if (values.length === 0) return {};
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), most: at(1) };
}

export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
