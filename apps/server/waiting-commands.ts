/** Returns the number of commands in the log that are not applied, from the ends and the positions by partition. */
export function waitingCommands(ends: ReadonlyMap<number, number>, applied: ReadonlyMap<number, number>): number {
  let waiting = 0;
  for (const [partition, end] of ends) waiting += Math.max(0, end - (applied.get(partition) ?? end));
  return waiting;
}
