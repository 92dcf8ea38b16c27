import { Fleet } from './fleet';
import type { NodeRun } from './fleet';

let last: { readonly seed: string; readonly fleet: Fleet } | undefined;

/** The facts, catalog and report of one run of one machine: {@link Fleet.run} for who needs no fleet of their own. */
export function nodeDocuments(
  seed: string,
  nodeIndex: number,
  run: number,
  options: { readonly startTime: Date },
): NodeRun {
  if (last?.seed !== seed) last = { seed, fleet: new Fleet(seed) };
  return last.fleet.run(nodeIndex, run, options);
}
