/**
 * Returns the headers that the log stores in addition to the envelope. Drops a producer-timestamp that is not a short
 * text of printable ASCII characters.
 */
export function recordHeaders(producerTimestamp: unknown): Readonly<Record<string, string>> {
  return typeof producerTimestamp === 'string' && /^[\x20-\x7e]{1,64}$/.test(producerTimestamp)
    ? { 'producer-timestamp': producerTimestamp }
    : {};
}
