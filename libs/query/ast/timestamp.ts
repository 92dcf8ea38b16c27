import { NumberText, type AstJson } from './json';

const iso =
  /^([+-]?\d{4,9})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[Tt ](\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const basic = /^(\d{4})(\d{2})(\d{2})(?:[Tt](\d{2})(\d{2})(\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const ordinal = /^(\d{4})-(\d{3})$/;
const week = /^(\d{4})-W(\d{2})(?:-(\d))?$/;
const mail =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}$/;
const timeOfDay = /^T?(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?Z?$/i;
const dayMs = 86_400_000;

/**
 * Parses a time that is written in any form of ISO 8601, as in mail headers, or as milliseconds since 1970. A time
 * without an offset is in UTC. Returns text for PostgreSQL's timestamptz, exact to the millisecond, or undefined if the
 * value is not a time.
 */
export function readTimestamp(value: AstJson): string | undefined {
  if (value instanceof NumberText) return value.isInteger ? spelled(Number(value.text)) : undefined;
  if (typeof value !== 'string') return undefined;
  const milliseconds = read(value.trim());
  return milliseconds === undefined ? undefined : spelled(milliseconds);
}

// Times before year 1 become `-infinity`, and times from 31 December 9999 on become `infinity`, because PostgreSQL
// cannot read the text that `toISOString` writes for years outside of this range.
function spelled(milliseconds: number): string | undefined {
  if (Number.isNaN(milliseconds)) return undefined;
  if (milliseconds >= Date.UTC(9999, 11, 31)) return 'infinity';
  if (milliseconds < -62_135_596_800_000) return '-infinity';
  return new Date(milliseconds).toISOString();
}

function read(text: string): number | undefined {
  const parts = /^\d{5,9}$/.test(text) ? null : iso.exec(text);
  if (parts) return fromParts(parts.slice(1));
  const compact = basic.exec(text);
  if (compact) return fromParts(compact.slice(1));
  const days = ordinal.exec(text);
  if (days) return Date.UTC(Number(days[1]), 0, Number(days[2]));
  const weeks = week.exec(text);
  if (weeks) return weekDate(Number(weeks[1]), Number(weeks[2]), Number(weeks[3] ?? 1));
  if (mail.test(text)) return Date.parse(text);
  const clock = timeOfDay.exec(text);
  if (clock) return fromParts(['1970', '1', '1', ...clock.slice(1), undefined]);
  return undefined;
}

function fromParts(parts: readonly (string | undefined)[]): number | undefined {
  const [year, month = '1', day = '1', hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z'] = parts;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  if (Number(month) < 1 || Number(month) > 12 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) {
    // Either the year is outside the range of Date, or the day does not exist (30 February).
    return Number.isNaN(date.getTime()) ? Math.sign(Number(year)) * 8.64e15 : undefined;
  }
  date.setUTCHours(Number(hour), Number(minute), Number(second), milliseconds);
  return date.getTime() - offsetMs(offset);
}

function offsetMs(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const digits = offset.replace(/[^\d]/g, '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}

function weekDate(year: number, weekOfYear: number, day: number): number {
  const fourth = Date.UTC(year, 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
  return monday + ((weekOfYear - 1) * 7 + (day - 1)) * dayMs;
}
