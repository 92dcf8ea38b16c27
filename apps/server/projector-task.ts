import { type Settings, volatileFactsOf } from '#config';
import type { LogIdentity } from '#log';
import type { LogLocation } from './log-location';
import type { ProjectorTask } from './projector-messages';

/** Returns the input of threads that apply the commands of the log at a location. */
export function projectorTask(
  settings: Readonly<Settings>,
  connectionString: string,
  maxCommandBytes: number,
  { kafka }: LogLocation,
  { partitions, logId }: LogIdentity,
): ProjectorTask {
  const { limits, factsBlocklist = [], history } = settings;
  const past = { keepsPast: history > 0, volatileFacts: volatileFactsOf(settings) };
  // With `expectedLogId`, opening fails in a thread if the location has another log in the meantime.
  const log = { partitions, ...(kafka === undefined ? {} : { kafka: { ...kafka, expectedLogId: logId } }) };
  return { connectionString, log, logId, maxCommandBytes, limits, factsBlocklist, ...past };
}
