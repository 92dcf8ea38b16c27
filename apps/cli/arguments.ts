import { InvalidArgumentError } from 'commander';
import { durationForm, readDuration } from '#config';

export function countFrom(least: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,15}$/.test(text) || Number(text) < least)
      throw new InvalidArgumentError(`expected a whole number${least === 0 ? '' : ` from ${least} up`}`);
    return Number(text);
  };
}

export function countBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,15}$/.test(text) || Number(text) < least || Number(text) > most)
      throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`);
    return Number(text);
  };
}

export function readMilliseconds(text: string): number {
  const ms = readDuration(text);
  if (ms === undefined) throw new InvalidArgumentError(`expected ${durationForm}`);
  return ms;
}
