/** Facts of Facter that differ in each run of most nodes. */
export const defaultVolatileFacts: readonly string[] = [
  'load_averages',
  'memory',
  'memoryfree',
  'memoryfree_mb',
  'mountpoints',
  'swapfree',
  'swapfree_mb',
  'system_uptime',
  'uptime',
  'uptime_days',
  'uptime_hours',
  'uptime_seconds',
];

export const volatileFactsForm =
  'names of facts, separated by commas. With + before each name, the names are added to the default; without +, they replace it';

/**
 * Returns the volatile facts. Names with a leading `+` are added to the default. Returns undefined if only some of the
 * names have a leading `+`.
 */
export function readVolatileFacts(text: string): string[] | undefined {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const added = entries.filter((entry) => entry.startsWith('+')).map((entry) => entry.slice(1).trim());
  if (added.includes('') || (added.length > 0 && added.length < entries.length)) return undefined;
  return [...new Set(added.length > 0 ? [...defaultVolatileFacts, ...added] : entries)].sort();
}

export const volatileFactsOf = ({
  volatileFacts = defaultVolatileFacts,
}: {
  readonly volatileFacts?: readonly string[] | undefined;
}): readonly string[] => volatileFacts;
