/**
 * The projector's thread: its own connections and its own reader of the log, so that projecting never delays an
 * acknowledgement. Ends when asked to stop, after the current batch, or with the error.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { blocklist } from '#config';
import { Database, databaseIdentity, Generations } from '#database';
import type { LogRecord } from '#log';
import { errorFields } from '#observe';
import { Projector } from '#projections';
import type { CurrentBatch } from './crash-recovery';
import { fillLive } from './fill-live';
import { logAt } from './log-place';
import { BatchMeter } from './metrics/batch-meter';
import { type Collection, ThreadProbe } from './metrics/thread-probe';
import { type ProjectorMessage, type ProjectorRun, stopMessage } from './projector-messages';

const task = workerData as ProjectorRun;
const post = (message: ProjectorMessage): void => parentPort?.postMessage(message);

async function project(stopping: AbortSignal): Promise<void> {
  const { connectionString, logId, maxCommandBytes, limits, recoveryPlan } = task;
  const db = new Database({ connectionString, max: 4, applicationName: 'nodeledger projector', statementTimeoutMs: 0 });
  const log = logAt(task.log, db);
  try {
    await log.open();
    const place = await databaseIdentity(db);
    const dropFact = blocklist(task.factsBlocklist);
    const meter = new BatchMeter();
    await fillLive(db, new Generations(db), stopping, (generation, until) => {
      const projector = new Projector({
        db,
        log,
        logId,
        generation,
        // Whoever fills the same tables, and nobody else: another database over this log needs all partitions, too.
        group: `nodeledger-projector-${place}-${generation.schema}`,
        maxCommandBytes,
        limits,
        dropFact,
        recoveryPlan,
        onBegin: (records) => {
          meter.begin(records);
          post({ kind: 'begin', batch: atHand(records) });
        },
        onStep: (step) => meter.did(step),
        onBatch: (records, outcomes) => post({ kind: 'committed', records, figures: meter.committed(outcomes) }),
        onDeadLetter: ({ record: { uuid, command, certname }, error }) =>
          post({ kind: 'dead-letter', uuid, command, certname, error: errorFields(error) }),
        onRetry: (error, waitMs) =>
          post({ kind: 'retry', waitMs, error: errorFields(error), waiting: meter.retried() }),
      });
      post({ kind: 'running', generation: generation.generation });
      return projector.run(until);
    });
  } finally {
    await log.close();
    await db.close();
  }
}

const tellEveryMs = 2_000;

/** Tells of the thread itself until it ends, at once for the first time. */
function tellOfThread(): void {
  let collections: Collection[] = [];
  const probe = new ThreadProbe((...collection) => collections.push(collection));
  const tell = (): void => {
    post({ kind: 'thread', figures: probe.read(), collections });
    collections = [];
  };
  probe.start();
  tell();
  setInterval(tell, tellEveryMs).unref();
}

/** Records of a batch follow each other in each partition. */
function atHand(records: readonly LogRecord[]): CurrentBatch {
  const ranges = new Map<number, { partition: number; first: number; last: number }>();
  for (const { partition, offset } of records) {
    const range = ranges.get(partition);
    if (range === undefined) ranges.set(partition, { partition, first: offset, last: offset });
    else range.last = offset;
  }
  return { records: records.length, ranges: [...ranges.values()] };
}

const stopping = new AbortController();
parentPort?.on('message', (message) => {
  if (message === stopMessage) stopping.abort();
});
tellOfThread();
project(stopping.signal)
  .catch((error: unknown) => {
    if (!stopping.signal.aborted) post({ kind: 'failed', error: errorFields(error) });
  })
  // The port is what keeps the thread alive.
  .finally(() => parentPort?.close());
