import { setTimeout as delay } from 'node:timers/promises';
import { Generations } from '#database';
import { isFault } from '#fault';
import type { CommandLog } from '#log';
import type { Counter } from '#metrics';
import type { Log } from '#observe';
import { projectionVersion, rebuild, type RebuildOptions, type ReplayContext } from '#projections';
import { replayDatabase, replaySettings } from './own-replay';
import type { ProjectorTask } from './projector-messages';
import { ThreadedReplays } from './threaded-replays';

const reportEveryMs = 5_000;
const lookEveryMs = 1_000;

/**
 * Rebuilds read tables of an older schema version before the service starts, and continues an interrupted rebuild. If
 * several processes start at once, one of them rebuilds.
 */
export async function rebuildOlderTables(
  log: CommandLog,
  task: ProjectorTask,
  out: Log,
  stopping: AbortSignal,
  replayed: Pick<Counter, 'add'>,
  threads?: number,
): Promise<void> {
  const db = replayDatabase(task, 'nodeledger rebuild');
  let reportedAt = 0;
  const context: ReplayContext = {
    db,
    log,
    logId: task.logId,
    ...replaySettings(task),
    signal: stopping,
    threads: new ThreadedReplays(task, threads),
    onNotice: (text) => out.warn(text),
    onRecords: (records) => replayed.add(records),
    onProgress: (progress) => {
      if (performance.now() - reportedAt < reportEveryMs) return;
      reportedAt = performance.now();
      out.info(progress, 'the read tables are being rebuilt');
    },
  };
  try {
    const generations = new Generations(db);
    let options: RebuildOptions = {};
    for (;;) {
      const live = await generations.live();
      if (live === undefined || live.projectionVersion >= projectionVersion) return;
      const forms = { from: live.projectionVersion, to: projectionVersion };
      out.warn(forms, 'the read tables are of an older form: they are rebuilt from the log before the service starts');
      try {
        const { records, seconds, schema } = await rebuild(context, options);
        out.info({ records, seconds, schema }, 'the read tables are rebuilt');
      } catch (error) {
        stopping.throwIfAborted();
        const code = isFault(error) ? error.code : undefined;
        if (code === 'replay.half-built') options = { resume: true };
        else if (code === 'replay.other-form') options = { restart: true };
        else if (code === 'maintenance.busy') await delay(lookEveryMs, undefined, { signal: stopping });
        else throw error;
      }
    }
  } finally {
    await db.close();
  }
}
