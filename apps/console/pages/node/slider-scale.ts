import { entryTone, isQuiet } from '../../timeline/entry-words';
import type { TimelineEntry } from '../../service/shapes';

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Length of each window in milliseconds. Keys are the values of the address parameter `window`. The window `all` begins
 * at the first known change.
 */
export const windows = { '1h': hour, '24h': day, '14d': 14 * day, all: Infinity } as const;
export type Window = keyof typeof windows;

export interface Moment {
  readonly time: number;
  readonly isFailed: boolean;
  /** Number of changes. */
  readonly size: number;
}

/** Returns the times at which the node changed, oldest first. Omits runs that changed nothing. */
export const momentsOf = (entries: readonly TimelineEntry[]): readonly Moment[] =>
  entries
    .filter((entry) => !isQuiet(entry))
    .map((entry) => ({
      time: Date.parse(entry.received_at),
      isFailed: entryTone(entry) === 'failed',
      size: entry.added + entry.changed + entry.removed,
    }))
    .sort((one, other) => one.time - other.time);

export function windowOf(moments: readonly Moment[], now: number): Window {
  const age = now - (moments[0]?.time ?? now);
  return (Object.keys(windows) as Window[]).find((name) => age <= windows[name]) ?? 'all';
}

export const momentBeside = (moments: readonly Moment[], time: number, step: 1 | -1): number | undefined =>
  step === 1 ? moments.find((one) => one.time > time)?.time : moments.findLast((one) => one.time < time)?.time;

interface Bar {
  readonly x: number;
  readonly height: number;
  readonly isFailed: boolean;
}

const barStep = 6;

/** The height of a bar grows with the logarithm of its number of changes. */
export function barsOf(
  moments: readonly Moment[],
  from: number,
  to: number,
  width: number,
  most: number,
): readonly Bar[] {
  const columns = new Map<number, { size: number; isFailed: boolean }>();
  for (const { time, size, isFailed } of moments) {
    if (time < from || time > to) continue;
    const column = Math.min(
      Math.floor(width / barStep) - 1,
      Math.floor(((time - from) / (to - from)) * (width / barStep)),
    );
    const known = columns.get(column);
    columns.set(column, {
      size: (known?.size ?? 0) + Math.max(1, size),
      isFailed: isFailed || known?.isFailed === true,
    });
  }
  return [...columns].map(([column, { size, isFailed }]) => ({
    x: column * barStep,
    height: Math.min(most, 8 + 9 * Math.log10(size)),
    isFailed,
  }));
}

const tickSteps = [1, 5, 15, 30].map((minutes) => minutes * 60_000).concat([1, 3, 6, 12].map((hours) => hours * hour));
const dayCounts = [1, 2, 7, 14, 30, 91, 365];

/** Axis lines are at whole minutes, hours or days in the time zone of the viewer. */
export function ticksOf(from: number, to: number, most: number): readonly number[] {
  const step = tickSteps.find((one) => (to - from) / one <= most);
  const days = dayCounts.find((one) => (to - from) / (one * day) <= most) ?? Math.ceil((to - from) / day / most);
  const ticks: number[] = [];
  const date = new Date(new Date(from).setHours(0, 0, 0, 0));
  while (date.getTime() <= to) {
    if (date.getTime() >= from) ticks.push(date.getTime());
    if (step === undefined) date.setDate(date.getDate() + days);
    else date.setTime(date.getTime() + step);
  }
  return ticks;
}
