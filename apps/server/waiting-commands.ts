/** For each partition, `ends` contains the next offset in the log, and `applied` the next offset to apply. */
export function waitingCommands(ends: ReadonlyMap<number, number>, applied: ReadonlyMap<number, number>): number {
  let waiting = 0;
  for (const [partition, end] of ends) waiting += Math.max(0, end - (applied.get(partition) ?? end));
  return waiting;
}
