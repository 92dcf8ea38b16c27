interface Entry {
  readonly id: string;
  readonly received_at: string;
}

/** Returns the newest entries, newest first. If both lists contain an entry, returns the entry of `some`. */
export function merged<T extends Entry>(some: readonly T[], others: readonly T[], most: number): readonly T[] {
  const byId = new Map([...others, ...some].map((entry) => [entry.id, entry]));
  // All times have the same format, so the order of the texts is the order of the times.
  return [...byId.values()].sort((one, other) => (one.received_at < other.received_at ? 1 : -1)).slice(0, most);
}
