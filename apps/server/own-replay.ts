import { blocklist } from '#config';
import { Database } from '#database';
import type { ReplayContext } from '#projections';
import { logAt } from './log-place';
import type { ProjectorTask } from './projector-messages';

/** What a replay takes from the task of a thread. */
type LogTask = Omit<ProjectorTask, 'logId'>;

/** Connections of a replay. */
export const replayPool = 8;

/** A replay's database: its own connections, so that acknowledging and projecting go on beside it. */
export const replayDatabase = ({ connectionString }: LogTask, applicationName: string): Database =>
  new Database({ connectionString, max: replayPool, applicationName, statementTimeoutMs: 0 });

/** What a replay takes from a task, as its context wants it. */
export const replaySettings = ({
  maxCommandBytes,
  limits,
  factsBlocklist,
}: LogTask): Pick<ReplayContext, 'maxCommandBytes' | 'limits' | 'dropFact'> => ({
  maxCommandBytes,
  limits,
  dropFact: blocklist(factsBlocklist),
});

/** Calls `work` with a database and a log that it alone uses, and closes both afterwards. */
export async function withOwnReplay<T>(
  task: LogTask,
  applicationName: string,
  signal: AbortSignal,
  work: (context: ReplayContext) => Promise<T>,
): Promise<T> {
  const db = replayDatabase(task, applicationName);
  const log = logAt(task.log, db);
  try {
    const { logId } = await log.open();
    return await work({ db, log, logId, signal, ...replaySettings(task) });
  } finally {
    await log.close().finally(() => db.close());
  }
}
