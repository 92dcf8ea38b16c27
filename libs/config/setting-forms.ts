import { isIn, isInt, matches, max, min } from 'class-validator';
import { durationForm, readDuration } from './duration';
import type { SettingForm } from './setting-entry';

export const aDay = 86_400_000;
export const aYear = 365 * aDay;

export const text = (value: string): string => value;
export const wholeNumber = (value: string): number | undefined =>
  /^\d{1,15}$/.test(value) ? Number(value) : undefined;
const truth = (value: string): boolean | undefined =>
  ({ true: true, yes: true, on: true, '1': true, false: false, no: false, off: false, '0': false })[
    value.toLowerCase()
  ];

const within =
  (read: (text: string) => number | undefined, from: number, to: number) =>
  (text: string): number | undefined => {
    const number = read(text);
    return isInt(number) && min(number, from) && max(number, to) ? number : undefined;
  };

export const count = (from: number, to: number): SettingForm<number> => ({
  read: within(wholeNumber, from, to),
  expects: `a whole number from ${from} to ${to}`,
});
export const flag: SettingForm<boolean> = { read: truth, expects: 'true or false', choices: ['true', 'false'] };

/** `from` and `to` are milliseconds. Error messages mention `to` only if it is at most a day. */
export function duration({ from = 0, to }: { readonly from?: number; readonly to: number }): SettingForm<number> {
  const most = to === aDay ? ', at most 1d' : to < aDay ? `, at most ${to / 60_000}m` : '';
  return { read: within(readDuration, from, to), expects: `${durationForm}${most}${from > 0 ? ' and not 0' : ''}` };
}
export const matching = (pattern: RegExp, expects: string): SettingForm<string> => ({
  read: (value) => (matches(value, pattern) ? value : undefined),
  expects,
});
export const file = { read: text, expects: 'the name of a file', isPath: true } as const;
export const choice = <const Choice extends string>(of: readonly Choice[]): SettingForm<Choice> => ({
  read: (value) => (isIn(value, of) ? (value as Choice) : undefined),
  expects: `one of ${of.join(', ')}`,
  choices: of,
});
