export const formatCount = (count: number): string => Math.round(count).toLocaleString('en-US');

/** `one` is a noun whose plural ends with `s`. */
export const amount = (count: number, one: string): string =>
  `${formatCount(count)} ${one}${Math.round(count) === 1 ? '' : 's'}`;

export function formatDuration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function formatDays(seconds: number): string {
  const days = seconds / 86_400;
  if (days < 2) return amount(seconds / 3_600, 'hour');
  return days < 730 ? `${Number(days.toPrecision(2))} days` : amount(days / 365, 'year');
}

export function formatRate(count: number, seconds: number): string {
  const rate = seconds > 0 ? ` (${formatCount(count / seconds)}/s)` : '';
  return `${amount(count, 'record')} in ${formatDuration(seconds)}${rate}`;
}
