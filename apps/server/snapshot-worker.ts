/**
 * The thread of one snapshot of the log: connections of its own, so that acknowledging and projecting go on beside it.
 * Ends with what came of it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { blocklist } from '#config';
import { Database } from '#database';
import { errorFields } from '#observe';
import { snapshot, type SnapshotOutcome } from '#projections';
import { logAt } from './log-place';
import { stopMessage } from './projector-messages';
import type { SnapshotMessage, SnapshotTask } from './snapshot-messages';

const task = workerData as SnapshotTask;
const post = (message: SnapshotMessage): void => parentPort?.postMessage(message);

async function run(signal: AbortSignal): Promise<SnapshotOutcome> {
  const db = new Database({
    connectionString: task.connectionString,
    max: 6,
    applicationName: 'nodeledger snapshot',
    statementTimeoutMs: 0,
  });
  const log = logAt(task.logPlace, db);
  try {
    const { logId } = await log.open();
    return await snapshot(
      {
        db,
        log,
        logId,
        maxCommandBytes: task.maxCommandBytes,
        limits: task.limits,
        dropFact: blocklist(task.factsBlocklist),
        signal,
        onNotice: (text) => post({ kind: 'notice', text }),
        onRecords: (records) => post({ kind: 'replayed', records }),
      },
      { historyMs: task.historyMs },
    );
  } finally {
    await log.close();
    await db.close();
  }
}

const stopping = new AbortController();
parentPort?.on('message', (message) => {
  if (message === stopMessage) stopping.abort();
});
run(stopping.signal)
  .then((outcome) => post({ kind: 'done', outcome }))
  .catch((error: unknown) => post({ kind: 'failed', error: errorFields(error) }))
  // The port is what keeps the thread alive.
  .finally(() => parentPort?.close());
