interface Entry {
  readonly id: string;
  readonly received_at: string;
}

/** Returns at most `most` of the entries of two lists, the newest first. The first list wins if both have an entry. */
export function merged<T extends Entry>(some: readonly T[], others: readonly T[], most: number): readonly T[] {
  const byId = new Map([...others, ...some].map((entry) => [entry.id, entry]));
  // The times have the same form, so their order is that of the texts.
  return [...byId.values()].sort((one, other) => (one.received_at < other.received_at ? 1 : -1)).slice(0, most);
}
