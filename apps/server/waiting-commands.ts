/**
 * Returns the number of commands in the log that are not applied yet. For each partition, `ends` contains the offset of
 * the next record in the log, and `applied` the offset of the next record to apply to the read tables.
 */
export function waitingCommands(ends: ReadonlyMap<number, number>, applied: ReadonlyMap<number, number>): number {
  let waiting = 0;
  for (const [partition, end] of ends) waiting += Math.max(0, end - (applied.get(partition) ?? end));
  return waiting;
}
