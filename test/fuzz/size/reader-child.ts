/**
 * A process that reads cases on request, so that a case without an end or with too much memory ends only this process.
 */
import { make, type Recipe } from './recipe';
import { read, type Ending } from './read';

export interface Task {
  /** Returned with the outcome. */
  readonly id: number;
  readonly recipe: Recipe;
  /** Number of readings; the shortest processor time counts. */
  readonly repeats: number;
}

export interface Outcome {
  readonly id: number;
  readonly ending: Ending;
  /** Characters or bytes of the case. */
  readonly size: number;
  readonly cpuMs: number;
  /** Peak memory of this process so far. */
  readonly peakMegabytes: number;
}

/**
 * Garbage of earlier cases does not belong to the memory of this case. It is collected only when there is much of it,
 * because that takes longer than most cases.
 */
const leftBehindBytes = 150_000_000;

function leftBehind(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function outcomeOf({ id, recipe, repeats }: Task): Promise<Outcome> {
  if (leftBehind() > leftBehindBytes) global.gc?.();
  const made = make(recipe);
  const peak = (): number => process.resourceUsage().maxRSS / 1024;
  let ending: Ending = { end: 'broken', error: 'it was not read' };
  let cpuMs = Infinity;
  for (let turn = 0; turn < repeats; turn++) {
    const before = process.cpuUsage();
    ending = await read(made);
    const { user, system } = process.cpuUsage(before);
    cpuMs = Math.min(cpuMs, (user + system) / 1000);
  }
  const size = made.to === 'command' ? made.bytes.length : made.path.length + JSON.stringify(made.parameters).length;
  return { id, ending, size, cpuMs, peakMegabytes: peak() };
}

process.on('message', (task: Task) => {
  void outcomeOf(task).then((outcome) => process.send?.(outcome));
});
process.send?.('ready');
