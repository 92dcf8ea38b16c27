/**
 * If the viewer looks at the past, requests to these paths contain the viewed time. It comes from the address parameter
 * `as_of`.
 */
const pathsAboutThePast =
  /^(pdb\/query\/v4|nodeledger\/v1\/(summary|facets|failures|runs|node-list|package-versions|fact-distribution|search))(\/|$)/;

export const currentAsOf = (): string | undefined => new URLSearchParams(location.search).get('as_of') ?? undefined;

/** Returns undefined if the viewer looks at the present, or if the path answers only about the present. */
export const asOfFor = (path: string): string | undefined => (pathsAboutThePast.test(path) ? currentAsOf() : undefined);

/**
 * Returns the parameter `to` for a timeline that ends at the viewed time. Adds a millisecond, because the service
 * excludes `to` itself.
 */
export function upToAsOf(asOf: string | undefined = currentAsOf()): string | undefined {
  const time = asOf === undefined ? NaN : Date.parse(asOf.slice(asOf.lastIndexOf('@') + 1));
  return Number.isNaN(time) ? asOf : new Date(time + 1).toISOString();
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * Parses a typed time such as `2 days ago`, `90m ago`, `yesterday 14:10`, `thu 14:10` or `2026-11-19 14:10`. A time
 * without a zone is in the time zone of the viewer. Returns ISO 8601 in UTC, or undefined if the text is not a time.
 */
export function readTime(text: string, now: number = Date.now()): string | undefined {
  const words = text.trim().toLowerCase();
  const ago = /^(\d{1,5})\s*(m|min|minutes?|h|hours?|d|days?|w|weeks?)(\s+ago)?$/.exec(words);
  if (ago !== null) return iso(now - Number(ago[1]) * unitMs[ago[2]![0]!]!);
  const [, day, hours, minutes] = /^(?:(today|yesterday|[a-z]{3,9})\s*)?(?:(\d{1,2}):(\d\d))?$/.exec(words) ?? [];
  if (day !== undefined || hours !== undefined) {
    const back = daysBack(day ?? 'today', now);
    if (back === undefined || Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return undefined;
    const date = new Date(now);
    date.setDate(date.getDate() - back);
    if (hours !== undefined) date.setHours(Number(hours), Number(minutes), 0, 0);
    return iso(date.getTime());
  }
  if (!/^\d{4}-\d\d-\d\d/.test(words)) return undefined;
  return iso(Date.parse(words.replace(' ', 'T').toUpperCase() + (words.length === 10 ? 'T00:00' : '')));
}

/** Returns how many days ago a weekday was (1 to 7), or undefined if the name is unknown. */
function daysBack(day: string, now: number): number | undefined {
  if (day === 'today') return 0;
  if (day === 'yesterday') return 1;
  const weekday = weekdays.indexOf(day.slice(0, 3));
  return weekday === -1 ? undefined : ((new Date(now).getDay() - weekday + 6) % 7) + 1;
}

const iso = (time: number): string | undefined => (Number.isNaN(time) ? undefined : new Date(time).toISOString());
