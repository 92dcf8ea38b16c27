const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Whole parts of a day, so that the cut-offs of several age limits meet at midnight (UTC). */
const steps = [
  day,
  12 * hour,
  6 * hour,
  3 * hour,
  hour,
  30 * minute,
  10 * minute,
  5 * minute,
  minute,
  30 * second,
  10 * second,
  5 * second,
  second,
];

/** A step is at most this part of the age limit, because data can stay longer than the limit by one step. */
const partOfLimit = 7;

/** The longest step of which the age limit holds seven; 1 ms where there is none. */
export const cutoffStep = (ttlMs: number): number => steps.find((step) => step * partOfLimit <= ttlMs) ?? 1;

/**
 * The time (epoch ms) before which something is older than the age limit, put back to a whole step: one of many cleanings finds another
 * cut-off than the one before it. With age limits of a week and more there is one a day.
 */
export const alignedCutoff = (nowMs: number, ttlMs: number): number => {
  const step = cutoffStep(ttlMs);
  return Math.floor((nowMs - ttlMs) / step) * step;
};
