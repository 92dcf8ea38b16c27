/** A thread that replays some partitions of the log into tables that are being built. */
import { parentPort, threadId, workerData } from 'node:worker_threads';
import { replayTo } from '#projections';
import { withOwnReplay } from './own-replay';
import { postedError } from './posted-error';
import { stopMessage } from './projector-messages';
import type { ReplayMessage, ReplayTask } from './replay-messages';
import { yieldToRequests } from './thread-priority';

const task = workerData as ReplayTask;
const { generation, until, ...how } = task.share;
const post = (message: ReplayMessage): void => parentPort?.postMessage(message);
const stopping = new AbortController();
parentPort?.on('message', (message) => {
  if (message === stopMessage) stopping.abort();
});
yieldToRequests();
withOwnReplay(task, `nodeledger replay ${threadId}`, stopping.signal, (context) =>
  replayTo(
    {
      ...context,
      onRecords: (records) => post({ kind: 'replayed', records }),
      onNotice: (text) => post({ kind: 'notice', text }),
    },
    generation,
    until,
    how,
  ),
)
  .then(() => post({ kind: 'done' }))
  .catch((error: unknown) => post({ kind: 'failed', error: postedError(error) }))
  // The port is what keeps the thread alive.
  .finally(() => parentPort?.close());
