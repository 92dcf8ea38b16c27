interface Entry {
  readonly id: string;
  readonly received_at: string;
}

/**
 * Returns the newest entries in two lists, at most `most`, the newest first. If both lists contain an entry, takes it
 * from the first list.
 */
export function merged<T extends Entry>(some: readonly T[], others: readonly T[], most: number): readonly T[] {
  const byId = new Map([...others, ...some].map((entry) => [entry.id, entry]));
  // The times have the same format, so their order equals the order of their texts.
  return [...byId.values()].sort((one, other) => (one.received_at < other.received_at ? 1 : -1)).slice(0, most);
}
