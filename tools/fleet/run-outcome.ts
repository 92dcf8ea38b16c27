import type { CatalogState } from './catalog-history';
import type { FleetNode } from './node';
import { Random } from './random';
import { hasTrouble } from './trouble';

/**
 * `first` changes most resources of the machine. `corrected` corrects drift. `failed` has failures and skips dependent
 * resources. `broken` fails at the same resource as the previous run. `uncompiled` gets no catalog. `noop` only reports
 * what it would change. `quiet` and `chatty` change nothing.
 */
export type RunOutcome =
  'first' | 'changed' | 'corrected' | 'failed' | 'broken' | 'uncompiled' | 'noop' | 'quiet' | 'chatty';

export function runOutcome(seed: string, node: FleetNode, run: number, state: CatalogState): RunOutcome {
  if (hasTrouble(node, 'fails', run)) return 'broken';
  if (hasTrouble(node, 'not-compiled', run)) return 'uncompiled';
  const random = Random.of(seed, 'outcome', node.index, run);
  if (node.noop) return state.changedNow || run === 0 || random.chance(0.5) ? 'noop' : 'quiet';
  if (run === 0) return 'first';
  if (state.changedNow) return random.chance(0.06) ? 'failed' : 'changed';
  if (random.chance(0.015)) return 'corrected';
  if (random.chance(0.008)) return 'failed';
  return random.chance(0.2) ? 'chatty' : 'quiet';
}
