import { type Settings, volatileFactsOf } from '#config';
import type { LogIdentity } from '#log';
import type { LogLocation } from './log-location';
import type { ProjectorTask } from './projector-messages';

export function projectorTask(
  settings: Readonly<Settings>,
  connectionString: string,
  { kafka }: LogLocation,
  { partitions, logId }: LogIdentity,
): ProjectorTask {
  const { limits, factsBlocklist = [], history } = settings;
  const past = { keepsPast: history > 0, volatileFacts: volatileFactsOf(settings) };
  // A thread fails to open the log if the location now contains another log.
  const log = { partitions, ...(kafka === undefined ? {} : { kafka: { ...kafka, expectedLogId: logId } }) };
  return { connectionString, log, logId, limits, factsBlocklist, ...past };
}
