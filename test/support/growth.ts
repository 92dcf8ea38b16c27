/**
 * Returns how many times longer `work` takes with an input that is `factor` times as large. Linear work gives about
 * `factor`, quadratic work its square. Uses the processor time of the shortest of several runs, because the machine may
 * be busy. Measures again if the ratio is large: work that is not linear always gives a large ratio, other load does
 * not.
 */
export function growth(work: (size: number) => void, size: number, factor = 10): number {
  let least = Infinity;
  for (let attempt = 0; attempt < mostAttempts && least > 2 * factor; attempt++) {
    least = Math.min(least, measuredGrowth(work, size, factor));
  }
  return least;
}

function measuredGrowth(work: (size: number) => void, size: number, factor: number): number {
  // The number of runs that makes both durations about equal. The first runs let the engine compile the code.
  const small = (): void => {
    for (let run = 0; run < factor; run++) work(size);
  };
  small();
  const base = best(small) / factor;
  return best(() => work(size * factor)) / Math.max(base, 0.02);
}

const mostAttempts = 3;
const leastRuns = 4;
const mostRuns = 60;
/**
 * Garbage collections and compilations take a few milliseconds. Shorter work is repeated until one run has none of
 * them.
 */
const enoughMs = 80;

/** Milliseconds of processor time of the shortest run. */
function best(work: () => void): number {
  let shortest = Infinity;
  let total = 0;
  for (let run = 0; run < mostRuns && (run < leastRuns || total < enoughMs); run++) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1_000;
    shortest = Math.min(shortest, ms);
    total += ms;
    // A run of this length does not need to be repeated.
    if (ms > 2_000) break;
  }
  return shortest;
}
