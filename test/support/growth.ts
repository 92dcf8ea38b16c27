/**
 * How many times longer `work` takes with an input that is `factor` times as large. Each is the best of several runs,
 * because the machine may be busy with other things. Linear work gives about `factor`, quadratic work its square.
 */
export function growth(work: (size: number) => void, size: number, factor = 10): number {
  work(size);
  return (
    bestOf(5, () => work(size * factor)) /
    Math.max(
      bestOf(5, () => work(size)),
      0.1,
    )
  );
}

function bestOf(times: number, work: () => void): number {
  let best = Infinity;
  for (let run = 0; run < times; run++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
    // A run that took this long needs no second opinion.
    if (best > 2_000) break;
  }
  return best;
}
