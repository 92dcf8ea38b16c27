import type { FleetNode } from './node';
import { Random } from './random';

export const CHANGE_RATE = 0.1;

/** A position is an index in the list of resources that can change. */
export interface CatalogState {
  readonly revision: number;
  readonly changedNow: boolean;
  /** Maps the position of a resource to the number of its changes. */
  readonly versions: ReadonlyMap<number, number>;
  readonly removed: ReadonlySet<number>;
  /** Serial numbers of added resources. */
  readonly added: readonly number[];
  /** Positions of changed resources, and serial numbers of added resources. */
  readonly touched: { readonly changed: readonly number[]; readonly added: readonly number[] };
}

/**
 * An added resource disappears after this number of changes. A removed resource comes back after one change fewer, so
 * that catalogs keep their size.
 */
const KEPT_CHANGES = 3;

export function catalogState(seed: string, node: FleetNode, run: number, positions: number): CatalogState {
  const versions = new Map<number, number>();
  const history: Change[] = [];
  let changedNow = false;
  for (let earlier = 1; earlier <= run; earlier++) {
    const random = changeOf(seed, node, earlier);
    changedNow = random !== undefined;
    if (random === undefined) continue;
    const change = drawChange(random, positions, history.length);
    for (const position of change.changed) versions.set(position, (versions.get(position) ?? 0) + 1);
    history.push(change);
  }
  const last = history.at(-1);
  return {
    revision: history.length,
    changedNow,
    versions,
    removed: new Set(history.slice(1 - KEPT_CHANGES).flatMap((change) => change.removed)),
    added: history.slice(-KEPT_CHANGES).flatMap((change) => change.added),
    touched: changedNow && last !== undefined ? last : { changed: [], added: [] },
  };
}

export function hasChanged(seed: string, node: FleetNode, run: number): boolean {
  for (let earlier = 1; earlier <= run; earlier++) if (changeOf(seed, node, earlier) !== undefined) return true;
  return false;
}

function changeOf(seed: string, node: FleetNode, run: number): Random | undefined {
  const random = Random.of(seed, 'change', node.index, run);
  return random.chance(CHANGE_RATE) ? random : undefined;
}

interface Change {
  readonly changed: readonly number[];
  readonly removed: readonly number[];
  readonly added: readonly number[];
}

function drawChange(random: Random, positions: number, revision: number): Change {
  const draw = (count: number): number[] => Array.from({ length: count }, () => random.between(0, positions - 1));
  return {
    changed: draw(random.between(1, 4)),
    removed: draw(random.between(0, 2)),
    added: Array.from({ length: random.between(0, 2) }, (_, i) => revision * 4 + i),
  };
}
