/**
 * Returns the number of commands in the log that are not applied. `ends` and `applied` contain the next offset of each
 * partition: in the log, and in the read tables.
 */
export function waitingCommands(ends: ReadonlyMap<number, number>, applied: ReadonlyMap<number, number>): number {
  let waiting = 0;
  for (const [partition, end] of ends) waiting += Math.max(0, end - (applied.get(partition) ?? end));
  return waiting;
}
