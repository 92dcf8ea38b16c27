import type { Settings } from '#config';
import type { LogIdentity } from '#log';
import type { LogPlace } from './log-place';
import type { ProjectorTask } from './projector-messages';

/** Returns what threads need to apply commands of this log. `place` is its location; `identity` its id. */
export function projectorTask(
  { limits, factsBlocklist = [], history }: Readonly<Settings>,
  connectionString: string,
  maxCommandBytes: number,
  { kafka }: LogPlace,
  { partitions, logId }: LogIdentity,
): ProjectorTask {
  // Threads must open this log, or fail.
  const log = { partitions, ...(kafka === undefined ? {} : { kafka: { ...kafka, expectedLogId: logId } }) };
  return { connectionString, log, logId, maxCommandBytes, limits, factsBlocklist, keepsPast: history > 0 };
}
