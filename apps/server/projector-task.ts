import type { Settings } from '#config';
import type { LogIdentity } from '#log';
import type { LogPlace } from './log-place';
import type { ProjectorTask } from './projector-messages';

/** What threads need to apply commands of this log. `place`: where it was opened, as `identity`. */
export function projectorTask(
  { limits, factsBlocklist = [] }: Readonly<Settings>,
  connectionString: string,
  maxCommandBytes: number,
  { kafka }: LogPlace,
  { partitions, logId }: LogIdentity,
): ProjectorTask {
  // What the threads open is this log, or nothing.
  const log = { partitions, ...(kafka === undefined ? {} : { kafka: { ...kafka, expectedLogId: logId } }) };
  return { connectionString, log, logId, maxCommandBytes, limits, factsBlocklist };
}
