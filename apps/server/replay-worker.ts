/** A thread that replays some partitions of the log into a new generation. */
import { parentPort, threadId, workerData } from 'node:worker_threads';
import { isRetriable } from '#database';
import { pauseBeforeRetry, replayTo } from '#projections';
import { withOwnReplay } from './own-replay';
import { postedError } from './posted-error';
import { stopMessage } from './projector-messages';
import type { ReplayMessage, ReplayTask } from './replay-messages';
import { yieldToRequests } from './thread-priority';

const task = workerData as ReplayTask;
const { generation, until, ...how } = task.share;
const post = (message: ReplayMessage): void => parentPort?.postMessage(message);
const stopping = new AbortController();
const { signal } = stopping;
parentPort?.on('message', (message) => {
  if (message === stopMessage) stopping.abort();
});

const replay = (): Promise<void> =>
  withOwnReplay(task, `nodeledger replay ${threadId}`, signal, async (context) => {
    const onRecords = (records: number): void => post({ kind: 'replayed', records });
    const onNotice = (text: string): void => post({ kind: 'notice', text });
    await replayTo({ ...context, onRecords, onNotice }, generation, until, how);
    // Only closing follows.
    post({ kind: 'done' });
  });

/** Waits while the database or the log is down, as the replay itself does. Continues at the positions of the tables. */
async function run(): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await replay();
    } catch (error) {
      if (signal.aborted || !isRetriable(error)) throw error;
      const text = error instanceof Error ? error.message : String(error);
      await pauseBeforeRetry(error, attempt, signal, (_, waitMs) =>
        post({ kind: 'notice', text: `a thread of the replay waits ${waitMs} ms: ${text}` }),
      );
    }
  }
}

yieldToRequests();
run()
  .catch((error: unknown) => post({ kind: 'failed', error: postedError(error) }))
  // The port keeps the thread alive.
  .finally(() => parentPort?.close());
