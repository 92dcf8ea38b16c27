/** The thread of one snapshot of the log. Its last message is the outcome. */
import { parentPort, workerData } from 'node:worker_threads';
import { errorFields } from '#observe';
import { snapshot, type SnapshotOutcome } from '#projections';
import { withOwnReplay } from './own-replay';
import { stopMessage } from './projector-messages';
import type { SnapshotMessage, SnapshotTask } from './snapshot-messages';
import { yieldToRequests } from './thread-priority';

const task = workerData as SnapshotTask;
const post = (message: SnapshotMessage): void => parentPort?.postMessage(message);

const run = (signal: AbortSignal): Promise<SnapshotOutcome> =>
  withOwnReplay(task, 'nodeledger snapshot', signal, (context) =>
    snapshot(
      {
        ...context,
        onNotice: (text) => post({ kind: 'notice', text }),
        onRecords: (records) => post({ kind: 'replayed', records }),
      },
      { historyMs: task.historyMs },
    ),
  );

const stopping = new AbortController();
parentPort?.on('message', (message) => {
  if (message === stopMessage) stopping.abort();
});
yieldToRequests();
run(stopping.signal)
  .then((outcome) => post({ kind: 'done', outcome }))
  .catch((error: unknown) => post({ kind: 'failed', error: errorFields(error) }))
  // The port keeps the thread alive.
  .finally(() => parentPort?.close());
