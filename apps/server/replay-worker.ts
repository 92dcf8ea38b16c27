import { threadId, workerData } from 'node:worker_threads';
import { isRetriable } from '#database';
import { pauseBeforeRetry, replayTo } from '#projections';
import { withOwnReplay } from './own-replay';
import { replayInThread } from './replay-thread';
import type { ReplayTask } from './threaded-replays';

const task = workerData as ReplayTask;
const { generation, until, ...how } = task.share;

replayInThread<undefined>(async (signal, { done, onNotice, onRecords }) => {
  // Retries while the database or the log is down. Each attempt continues at the positions that the tables have
  // reached.
  for (let attempt = 1; ; attempt++) {
    try {
      await withOwnReplay(task, `nodeledger replay ${threadId}`, signal, async (context) => {
        await replayTo({ ...context, onRecords, onNotice }, generation, until, how);
        done(undefined);
      });
      return;
    } catch (error) {
      if (signal.aborted || !isRetriable(error)) throw error;
      const text = error instanceof Error ? error.message : String(error);
      await pauseBeforeRetry(error, attempt, signal, (_, waitMs) =>
        onNotice(`a thread of the replay waits ${waitMs} ms: ${text}`),
      );
    }
  }
});
