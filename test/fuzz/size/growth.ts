import { complaint } from './complaint';
import type { Outcome } from './reader-child';
import type { ReaderProcess } from './reader-process';
import type { Recipe } from './recipe';

/** Between two sizes. */
const step = 16;
/** Times what linear growth would be: caches, tables that double, garbage collection. */
const generous = 3;
/** Times below this are not told apart; the compiler and the collector take as much. */
const floorMs = 2;

/**
 * Reads the shape at `most` / 256, `most` / 16 and `most`. Says where it went wrong, or where a size took more than
 * three times what the smaller one explains; empty where nothing did. Reading that takes the square of the size takes
 * 256 times as long from one size to the next, where 48 times are allowed. A time that is too long is measured again.
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

/** Tries again, in case something else took the time, before a time counts as too long. */
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
