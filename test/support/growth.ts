/**
 * How many times longer `work` takes with an input that is `factor` times as large: processor time, the best of several
 * runs, because the machine may be busy with other things. Linear work gives about `factor`, quadratic its square.
 */
export function growth(work: (size: number) => void, size: number, factor = 10): number {
  // As often as makes the two about equally long; the first runs let the engine compile the code.
  const small = (): void => {
    for (let run = 0; run < factor; run++) work(size);
  };
  small();
  const base = bestOf(4, small) / factor;
  return bestOf(3, () => work(size * factor)) / Math.max(base, 0.02);
}

/** Milliseconds of processor time. */
function bestOf(times: number, work: () => void): number {
  let best = Infinity;
  for (let run = 0; run < times; run++) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
    // A run that took this long needs no second opinion.
    if (best > 2_000) break;
  }
  return best;
}
