import { type Settings, volatileFactsOf } from '#config';
import type { LogIdentity } from '#log';
import type { LogPlace } from './log-place';
import type { ProjectorTask } from './projector-messages';

/** Returns what threads need to apply commands of this log. `place` is its location; `identity` its id. */
export function projectorTask(
  settings: Readonly<Settings>,
  connectionString: string,
  maxCommandBytes: number,
  { kafka }: LogPlace,
  { partitions, logId }: LogIdentity,
): ProjectorTask {
  const { limits, factsBlocklist = [], history } = settings;
  const past = { keepsPast: history > 0, volatileFacts: volatileFactsOf(settings) };
  // Threads must open this log, or fail.
  const log = { partitions, ...(kafka === undefined ? {} : { kafka: { ...kafka, expectedLogId: logId } }) };
  return { connectionString, log, logId, maxCommandBytes, limits, factsBlocklist, ...past };
}
