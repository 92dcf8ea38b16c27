import { complaint } from './complaint';
import type { Outcome } from './reader-child';
import type { ReaderProcess } from './reader-process';
import type { Recipe } from './recipe';

/** Factor between two sizes. */
const step = 16;
/** Allowed multiple of linear growth, because of caches, growing tables and garbage collection. */
const generous = 3;
/** Shorter times are not compared, because the compiler and the garbage collector take as much. */
const floorMs = 2;

/**
 * Reads the shape at `most` / 256, `most` / 16 and `most`. Returns a message if a reading failed, or if the time of a
 * size was more than three times what the smaller size explains; otherwise an empty text. Quadratic time grows by a
 * factor of 256 from one size to the next, and 48 is allowed. A time that is too long is measured again.
 */
export async function steepness(readers: ReaderProcess, recipe: (n: number) => Recipe, most: number): Promise<string> {
  const sizes = [most / step / step, most / step, most].map((n) => Math.max(1, Math.round(n)));
  let smaller: Outcome | undefined;
  for (const n of sizes) {
    let outcome: Outcome;
    try {
      outcome = await leastOf(readers, recipe(n), (one) => isSteep(smaller, one));
    } catch (error) {
      return `n = ${n}: ${(error as Error).message}`;
    }
    const wrong = complaint(outcome);
    if (wrong !== undefined) return `n = ${n}: ${wrong}`;
    if (isSteep(smaller, outcome)) {
      return `n = ${n}: ${outcome.cpuMs.toFixed(1)} ms of processor time, at a ${step}th of the size ${smaller?.cpuMs.toFixed(1)} ms`;
    }
    smaller = outcome;
  }
  return '';
}

const isSteep = (smaller: Outcome | undefined, { cpuMs }: Outcome): boolean =>
  smaller !== undefined && cpuMs > Math.max(smaller.cpuMs, floorMs) * step * generous;

/** Measures again before a time counts as too long, because of other load. */
async function leastOf(
  readers: ReaderProcess,
  recipe: Recipe,
  tooLong: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  const first = await readers.run({ recipe, repeats: 1 });
  if (!tooLong(first)) return first;
  const again = await readers.run({ recipe, repeats: 3 });
  return again.cpuMs < first.cpuMs ? again : first;
}
