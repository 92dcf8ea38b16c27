import { blocklist } from '#config';
import { Database } from '#database';
import type { ReplayContext } from '#projections';
import { logAt } from './log-location';
import type { ProjectorTask } from './projector-messages';

type LogTask = Omit<ProjectorTask, 'logId'>;

export const replayPool = 8;

/** The pool is separate, so that a replay does not delay commands and projection. */
export const replayDatabase = ({ connectionString }: LogTask, applicationName: string): Database =>
  new Database({ connectionString, max: replayPool, applicationName, statementTimeoutMs: 0 });

export const replaySettings = ({
  limits,
  factsBlocklist,
  keepsPast,
  volatileFacts,
}: LogTask): Pick<ReplayContext, 'maxCommandBytes' | 'limits' | 'dropFact' | 'keepsPast' | 'volatileFacts'> => ({
  maxCommandBytes: limits.commandBytes,
  limits,
  dropFact: blocklist(factsBlocklist),
  keepsPast,
  volatileFacts,
});

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
