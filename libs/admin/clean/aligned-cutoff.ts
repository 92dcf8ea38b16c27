const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Possible steps between cutoffs. Each divides a day, so that the cutoffs of different age limits coincide at midnight
 * (UTC).
 */
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

/**
 * A step is chosen so that the age limit is at least this many steps long. Data can stay for up to one step longer than
 * its age limit, so a longer step would be too inexact.
 */
const partOfLimit = 7;

export const cutoffStep = (ttlMs: number): number => steps.find((step) => step * partOfLimit <= ttlMs) ?? 1;

/**
 * Returns the cutoff (epoch ms): data from before this time is older than the age limit. The cutoff is rounded down to
 * a whole step, so that successive cleanings mostly have the same cutoff. If the age limit is a week or more, the
 * cutoff changes once a day.
 */
export const alignedCutoff = (nowMs: number, ttlMs: number): number => {
  const step = cutoffStep(ttlMs);
  return Math.floor((nowMs - ttlMs) / step) * step;
};
