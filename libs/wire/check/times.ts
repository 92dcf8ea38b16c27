import type { IsoTime } from '../documents';

const offset = '(?:([zZ])|([+-])(\\d\\d)(?::?(\\d\\d)(?::?(\\d\\d))?)?)';
const strict =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([zZ])|([+-])(\d\d)(?::(\d\d)(?::(\d\d))?)?)$/;
const dated = '(\\d{4,6})(?:-(?:W(\\d\\d?)(?:-(\\d))?|(\\d{3})|(\\d\\d?)(?:-(\\d\\d?))?))?';
const timed = `(\\d\\d?)(?::(\\d\\d?)(?::(\\d\\d?))?)?(?:[.,](\\d+))?${offset}?`;
const extended = new RegExp(`^${dated}(?:[Tt ]${timed})?$`);
const basic = new RegExp(
  `^(\\d{4})(\\d\\d)(\\d\\d)(?:[Tt](\\d\\d)(?:(\\d\\d)(?:(\\d\\d))?)?(?:[.,](\\d+))?${offset}?)?$`,
);

/** In characters. The time of a document can be copied to many rows, so its length must be limited. */
const longestTime = 100;

/**
 * Times outside of the years 1 to 9999 are refused. The text of a later year is longer, so it would sort before the
 * text of an earlier year.
 */
const first = midnight(1, 1, 1);
const last = midnight(10_000, 1, 1);

/**
 * Parses a time from a report: ISO 8601 with date, time to the second, and offset. Returns the time in UTC with exactly
 * three digits of a second, without rounding. Returns undefined for any other text.
 */
export function readStrictTime(text: string): IsoTime | undefined {
  if (text.length > longestTime) return undefined;
  if (isCanonical(text)) return text;
  const m = strict.exec(text);
  if (m === null || !isDate(+m[1]!, +m[2]!, +m[3]!)) return undefined;
  const shift = readOffset(m[8], m[9], m[10], m[11], m[12]);
  const day = midnight(+m[1]!, +m[2]!, +m[3]!);
  return moment(day, +m[4]!, +m[5]!, +m[6]!, m[7], shift);
}

const canonical = 'dddd-dd-ddTdd:dd:dd.dddZ';

/** Creates no substrings, because a large report has thousands of times. */
function isCanonical(text: string): boolean {
  if (text.length !== canonical.length) return false;
  for (let index = 0; index < canonical.length; index++) {
    const found = text.charCodeAt(index);
    const wanted = canonical.charCodeAt(index);
    if (wanted === digit ? found < 0x30 || found > 0x39 : found !== wanted) return false;
  }
  return (
    twoDigits(text, 11) < 24 &&
    twoDigits(text, 14) < 60 &&
    twoDigits(text, 17) < 60 &&
    isDate(twoDigits(text, 0) * 100 + twoDigits(text, 2), twoDigits(text, 5), twoDigits(text, 8))
  );
}

const digit = 0x64;
const twoDigits = (text: string, index: number): number =>
  (text.charCodeAt(index) - 0x30) * 10 + text.charCodeAt(index + 1) - 0x30;

/**
 * Parses a time from a command other than `store report`. Also accepts a date alone (calendar, week or day of the
 * year), a time without minutes or seconds, a blank instead of `T`, and the basic formats without separators. A time
 * without an offset is in UTC.
 */
export function readTime(text: string): IsoTime | undefined {
  const known = readStrictTime(text);
  if (known !== undefined || text.length > longestTime) return known;
  const b = basic.exec(text);
  if (b !== null) {
    if (!isDate(+b[1]!, +b[2]!, +b[3]!)) return undefined;
    return moment(
      midnight(+b[1]!, +b[2]!, +b[3]!),
      +(b[4] ?? 0),
      b[5],
      b[6],
      b[7],
      readOffset(b[8], b[9], b[10], b[11], b[12]),
    );
  }
  const e = extended.exec(text);
  if (e === null) return undefined;
  const day = readDay(+e[1]!, e[2], e[3], e[4], e[5], e[6]);
  if (day === undefined) return undefined;
  return moment(day, +(e[7] ?? 0), e[8], e[9], e[10], readOffset(e[11], e[12], e[13], e[14], e[15]));
}

/** Returns undefined outside of the years 1 to 9999. */
export function timeOfEpoch(ms: number): IsoTime | undefined {
  if (!(ms >= first && ms < last)) return undefined;
  return new Date(ms).toISOString();
}

function readDay(
  year: number,
  week?: string,
  weekday?: string,
  ordinal?: string,
  month?: string,
  day?: string,
): number | undefined {
  if (week !== undefined) {
    const number = +week;
    const dayOfWeek = +(weekday ?? 1);
    if (number < 1 || number > 53 || dayOfWeek < 1 || dayOfWeek > 7) return undefined;
    const fourth = midnight(year, 1, 4);
    const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * 86_400_000;
    return monday + ((number - 1) * 7 + dayOfWeek - 1) * 86_400_000;
  }
  if (ordinal !== undefined) {
    const number = +ordinal;
    if (number < 1 || number > (isDate(year, 2, 29) ? 366 : 365)) return undefined;
    return midnight(year, 1, 1) + (number - 1) * 86_400_000;
  }
  const m = +(month ?? 1);
  const d = +(day ?? 1);
  return isDate(year, m, d) ? midnight(year, m, d) : undefined;
}

/** Returns the offset in seconds east of UTC, or undefined if the offset is invalid. */
function readOffset(utc?: string, sign?: string, hours?: string, minutes = '0', seconds = '0'): number | undefined {
  if (utc !== undefined || sign === undefined) return 0;
  if (+hours! > 23 || +minutes > 59 || +seconds > 59) return undefined;
  const size = (+hours! * 60 + +minutes) * 60 + +seconds;
  return sign === '-' ? -size : size;
}

/**
 * The text can omit the seconds, or the minutes and the seconds. The fraction belongs to the smallest unit that the
 * text contains.
 */
function moment(
  day: number,
  hour: number,
  minutes: string | number | undefined,
  seconds: string | number | undefined,
  fraction: string | undefined,
  shift: number | undefined,
): IsoTime | undefined {
  const minute = +(minutes ?? 0);
  const second = +(seconds ?? 0);
  if (shift === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const unit = seconds !== undefined ? 1000 : minutes !== undefined ? 60_000 : 3_600_000;
  const part =
    fraction === undefined
      ? 0
      : unit === 1000
        ? +fraction.slice(0, 3).padEnd(3, '0')
        : Math.floor(Number(`0.${fraction}`) * unit);
  return timeOfEpoch(day + ((hour * 60 + minute) * 60 + second - shift) * 1000 + part);
}

function midnight(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
}

function isDate(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  if (day <= 28) return true;
  const date = new Date(midnight(year, month, day));
  return date.getUTCDate() === day;
}
