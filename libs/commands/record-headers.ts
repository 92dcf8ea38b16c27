/** What the log keeps of a command beside its envelope. A producer-timestamp that is no plain short text is dropped. */
export function recordHeaders(producerTimestamp: unknown): Readonly<Record<string, string>> {
  return typeof producerTimestamp === 'string' && /^[\x20-\x7e]{1,64}$/.test(producerTimestamp)
    ? { 'producer-timestamp': producerTimestamp }
    : {};
}
