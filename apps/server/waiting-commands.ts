/** How many commands of the log are not applied yet. Both by partition: the offset behind the last, of the next to apply. */
export function waitingCommands(ends: ReadonlyMap<number, number>, applied: ReadonlyMap<number, number>): number {
  let waiting = 0;
  for (const [partition, end] of ends) waiting += Math.max(0, end - (applied.get(partition) ?? end));
  return waiting;
}
