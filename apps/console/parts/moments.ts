const exact = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const clockSeconds = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

const minute = 60_000;
const hour = 60 * minute;
const dayLength = 24 * hour;

export const exactTime = (time: string | number): string => exact.format(new Date(time));
const weekdayAndTime = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
});
export const dayAndTime = (time: string | number): string => weekdayAndTime.format(new Date(time));
const weekdayAndDay = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
/** Returns a text such as "Thursday 19 November". */
export const weekday = (time: string | number): string => weekdayAndDay.format(new Date(time));
export const clockTime = (time: string | number): string => clock.format(new Date(time));
export const clockWithSeconds = (time: string | number): string => clockSeconds.format(new Date(time));

const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0);

/** Returns "today", "yesterday", or a date such as "19 Nov". */
export function dayName(time: string | number, now = Date.now()): string {
  const days = Math.round((startOfDay(now) - startOfDay(new Date(time).getTime())) / dayLength);
  if (days === 0) return 'today';
  if (days === 1) return 'yesterday';
  const date = new Date(time);
  return (date.getFullYear() === new Date(now).getFullYear() ? day : dayOfYear).format(date);
}

export function ageText(time: string | number, now = Date.now()): string {
  const age = now - new Date(time).getTime();
  if (age < -minute) return `${dayName(time, now)}, ${clockTime(time)}`;
  if (age < 10_000) return 'now';
  if (age < minute) return `${Math.round(age / 1000)} s ago`;
  if (age < hour) return `${Math.floor(age / minute)} min ago`;
  if (age < dayLength) return `${Math.floor(age / hour)} h ago`;
  return `${dayName(time, now)}, ${clockTime(time)}`;
}

/** Returns a text such as "14:22", or "yesterday, 14:22" if the day is not today. */
export const momentText = (time: string | number, now = Date.now()): string => {
  const name = dayName(time, now);
  return name === 'today' ? clockTime(time) : `${name}, ${clockTime(time)}`;
};

export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  if (seconds >= 48 * 3600) return `${Math.round(seconds / 86_400)} days`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}
