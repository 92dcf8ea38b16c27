/**
 * The projector's thread: its own connections and its own reader of the log, so that projecting never delays an
 * acknowledgement. Ends when told to stop, after the batch at hand, or with what went wrong.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { blocklist } from '#config';
import { Database, Generations } from '#database';
import { Fault } from '#fault';
import { EmbeddedCommandLog } from '#log';
import { errorFields } from '#observe';
import { Projector } from '#projections';
import { type ProjectorMessage, type ProjectorTask, stopMessage } from './projector-messages';

const task = workerData as ProjectorTask;
const tell = (message: ProjectorMessage): void => parentPort?.postMessage(message);

async function project(stopping: AbortSignal): Promise<void> {
  const db = new Database({ connectionString: task.connectionString, max: 4, applicationName: 'nodeledger projector' });
  const log = new EmbeddedCommandLog(db, { partitions: task.logPartitions, cacheBytes: 0 });
  try {
    const { logId } = await log.open();
    const generation = await new Generations(db).live();
    if (generation === undefined) throw new Fault('broken', 'server.no-generation', 'there are no read tables');
    const projector = new Projector({
      db,
      log,
      logId,
      generation,
      maxCommandBytes: task.maxCommandBytes,
      dropFact: blocklist(task.factsBlocklist),
      onDeadLetter: ({ record: { uuid, command, certname }, error }) =>
        tell({ kind: 'dead-letter', uuid, command, certname, error: errorFields(error) }),
      onRetry: (error, waitMs) => tell({ kind: 'retry', waitMs, error: errorFields(error) }),
    });
    tell({ kind: 'running', generation: generation.generation });
    await projector.run(stopping);
  } finally {
    await log.close();
    await db.close();
  }
}

const stopping = new AbortController();
parentPort?.on('message', (message) => {
  if (message === stopMessage) stopping.abort();
});
project(stopping.signal)
  .catch((error: unknown) => {
    if (!stopping.signal.aborted) tell({ kind: 'failed', error: errorFields(error) });
  })
  // The port is what keeps the thread alive.
  .finally(() => parentPort?.close());
