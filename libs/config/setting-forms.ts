/** The forms of values that several settings have: how they are read and shown, and what a message expects. */
import { durationForm, readDuration, showDuration } from './duration';

export const text = (value: string): string => value;
export const wholeNumber = (value: string): number | undefined =>
  /^\d{1,15}$/.test(value) ? Number(value) : undefined;
const truth = (value: string): boolean | undefined =>
  ({ true: true, yes: true, on: true, '1': true, false: false, no: false, off: false, '0': false })[
    value.toLowerCase()
  ];
export const count = (from: number, to: number) => ({
  read: wholeNumber,
  expects: `a whole number from ${from} to ${to}`,
});
export const flag = { read: truth, expects: 'true or false', choices: ['true', 'false'] };
export const duration = { read: readDuration, expects: durationForm, show: showDuration };
export const file = { read: text, expects: 'the name of a file', isPath: true as const };
export const choice = (of: readonly string[]) => ({
  read: text,
  expects: `one of ${of.join(', ')}`,
  choices: of,
});
