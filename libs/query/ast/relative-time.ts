import { type AstJson, displayAst, isList } from './json';
import { malformed } from './malformed';

const secondsOf = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;
type Unit = keyof typeof secondsOf;

const units = '(?:seconds?|minutes?|hours?|days?|weeks?|[smhdw])';
const ago = new RegExp(`^(\\d{1,9})\\s*(${units})\\s+ago$`);
const duration = new RegExp(`^(\\d{1,9})\\s*(${units})$`);

/** If a time differs from the current time by more than this, the time is probably a mistake. */
const mostDays = 36_500;

/**
 * Parses `"2 hours ago"`, `["now"]`, `["-", ["now"], "2h"]` or `["+", ["now"], "2h"]`. Returns seconds from now,
 * negative for the past, or undefined for any other value. Throws `query.value` if the time is too far away.
 */
export function readRelativeTime(value: AstJson): number | undefined {
  if (typeof value === 'string') return seconds(ago.exec(value.trim()), -1, value);
  if (!isList(value)) return undefined;
  const [operator, now, text] = value;
  if (isNow(value)) return 0;
  if (value.length !== 3 || !isNow(now) || typeof text !== 'string') return undefined;
  if (operator !== '-' && operator !== '+') return undefined;
  return seconds(duration.exec(text.trim()), operator === '-' ? -1 : 1, value);
}

export const durationForm = new RegExp(`(\\d{1,9})\\s*(${units})(?![A-Za-z0-9_])`, 'y');

export const shortDuration = (text: string): string =>
  text.replace(/^0*(\d+)\s*([smhdw]).*$/, (_, count: string, unit: string) => `${count}${unit}`);

const isNow = (value: AstJson | undefined): boolean => isList(value) && value.length === 1 && value[0] === 'now';

function seconds(found: RegExpExecArray | null, sign: 1 | -1, value: AstJson): number | undefined {
  if (found === null) return undefined;
  const [, count = '', unit = ''] = found;
  const total = Number(count) * secondsOf[unit.charAt(0) as Unit];
  if (total > mostDays * secondsOf.d)
    throw malformed('value', `${displayAst(value)} is too far away: at most ${mostDays} days are allowed.`);
  return total === 0 ? 0 : sign * total;
}
