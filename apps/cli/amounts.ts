/** Formats a count: `12,345`. */
export const formatCount = (count: number): string => Math.round(count).toLocaleString('en-US');

/** Formats a count with its noun: `1 record`, `12,345 records`. */
export const amount = (count: number, one: string): string =>
  `${formatCount(count)} ${one}${Math.round(count) === 1 ? '' : 's'}`;

/** Formats a duration: `850 ms`, `12.3 s`, `4 min 10 s`, `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a long duration: `7 hours`, `5.2 days`, `3 years`. */
export function formatDays(seconds: number): string {
  const days = seconds / 86_400;
  if (days < 2) return amount(seconds / 3_600, 'hour');
  return days < 730 ? `${Number(days.toPrecision(2))} days` : amount(days / 365, 'year');
}

/** Formats a count with its time and rate: `1,234 records in 12.3 s (100/s)`. */
export function formatRate(count: number, seconds: number): string {
  const rate = seconds > 0 ? ` (${formatCount(count / seconds)}/s)` : '';
  return `${amount(count, 'record')} in ${formatDuration(seconds)}${rate}`;
}
