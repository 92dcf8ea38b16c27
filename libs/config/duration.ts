const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof unitMs;

export const durationForm = 'a whole number with a unit, such as 14d, 12h, 60m, 10s or 250ms (0 needs none)';

/** Reads a duration such as `14d`, `60m`, `10s`, `250ms` or `0`. Returns undefined if it is invalid or too large. */
export function readDuration(text: string): number | undefined {
  const match = /^(\d+)\s*(ms|s|m|h|d)?$/.exec(text.trim().toLowerCase());
  if (match === null) return undefined;
  const amount = Number(match[1]);
  const unit = match[2] as Unit | undefined;
  if (unit === undefined) return amount === 0 ? 0 : undefined;
  const ms = amount * unitMs[unit];
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/** Formats a duration without rounding, in the largest possible unit: `14d`, `90m`, `0`. */
export function showDuration(ms: number): string {
  if (ms === 0) return '0';
  for (const unit of ['d', 'h', 'm', 's'] as const) if (ms % unitMs[unit] === 0) return `${ms / unitMs[unit]}${unit}`;
  return `${ms}ms`;
}
