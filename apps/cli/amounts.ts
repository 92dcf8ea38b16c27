/** Formats a count with thousands separators, such as `12,345`. */
export const formatCount = (count: number): string => Math.round(count).toLocaleString('en-US');

/**
 * Formats a count with its noun, such as `1 record` or `12,345 records`. `one` is a noun whose plural ends with `s`.
 */
export const amount = (count: number, one: string): string =>
  `${formatCount(count)} ${one}${Math.round(count) === 1 ? '' : 's'}`;

/** Formats a duration, such as `850 ms`, `12.3 s`, `4 min 10 s` or `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a long duration, such as `7 hours`, `5.2 days` or `3 years`. */
export function formatDays(seconds: number): string {
  const days = seconds / 86_400;
  if (days < 2) return amount(seconds / 3_600, 'hour');
  return days < 730 ? `${Number(days.toPrecision(2))} days` : amount(days / 365, 'year');
}

/** Formats a number of records with the time and the rate, such as `1,234 records in 12.3 s (100/s)`. */
export function formatRate(count: number, seconds: number): string {
  const rate = seconds > 0 ? ` (${formatCount(count / seconds)}/s)` : '';
  return `${amount(count, 'record')} in ${formatDuration(seconds)}${rate}`;
}
