/**
 * The projector's thread. It has its own connections and its own reader of the log, so that projecting never delays an
 * acknowledgement. Ends after the current batch when it is told to stop, or with an error.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { blocklist } from '#config';
import { Database, databaseIdentity, Generations } from '#database';
import type { LogRecord } from '#log';
import { errorFields } from '#observe';
import { aborted, BatchMemory, Projector, runTogether } from '#projections';
import type { CurrentBatch } from './crash-recovery';
import { fillLive } from './fill-live';
import { logAt } from './log-place';
import { BatchMeter } from './metrics/batch-meter';
import { type Collection, ThreadProbe } from './metrics/thread-probe';
import {
  lanesPerThread,
  poolPerThread,
  type ProjectorMessage,
  type ProjectorRun,
  recoveredMessage,
  stopMessage,
} from './projector-messages';
import { yieldToRequests } from './thread-priority';

const task = workerData as ProjectorRun;
let suspected = task.recoveryPlan.suspectsBefore.size > 0;
const post = (message: ProjectorMessage): void => parentPort?.postMessage(message);

/** A process that hangs during a batch must not keep locks that other projectors wait for. */
const idleTransactionTimeoutMs = 60_000;

async function project(stopping: AbortSignal, recovered: Promise<void>): Promise<void> {
  const { connectionString, logId, maxCommandBytes, limits, recoveryPlan } = task;
  const db = new Database({
    connectionString,
    max: poolPerThread,
    applicationName: 'nodeledger projector',
    statementTimeoutMs: 0,
    idleTransactionTimeoutMs,
  });
  const log = logAt(task.log, db);
  try {
    await log.open();
    const place = await databaseIdentity(db);
    const dropFact = blocklist(task.factsBlocklist);
    const memory = new BatchMemory(lanesPerThread);
    await fillLive(db, new Generations(db), stopping, (generation, until) => {
      const runLane = (lane: number, signal: AbortSignal): Promise<void> => {
        const meter = new BatchMeter();
        const projector = new Projector({
          db,
          log,
          logId,
          generation,
          // Only projectors of the same tables share partitions. Another database on this log needs all partitions, too.
          group: `nodeledger-projector-${place}-${generation.schema}`,
          maxCommandBytes,
          limits,
          dropFact,
          memory,
          recoveryPlan,
          onBegin: (records) => {
            meter.begin(records);
            post({ kind: 'begin', lane, batch: atHand(records) });
          },
          onStep: (step) => meter.did(step),
          onBatch: (records, outcomes) =>
            post({ kind: 'committed', lane, records, figures: meter.committed(outcomes) }),
          onDeadLetter: ({ record: { uuid, command, certname }, error }) =>
            post({ kind: 'dead-letter', uuid, command, certname, error: errorFields(error) }),
          onPositions: (positions) => {
            if (suspected) post({ kind: 'positions', positions });
          },
          onRetry: (error, waitMs) =>
            post({ kind: 'retry', lane, waitMs, error: errorFields(error), waiting: meter.retried() }),
        });
        return projector.run(signal);
      };
      post({ kind: 'running', generation: generation.generation });
      return runTogether(until, lanesPerThread, async (lane, signal) => {
        // If the thread crashes while suspects are applied one by one, the last one must be the cause.
        if (lane > 0) await Promise.race([recovered, aborted(signal)]);
        return runLane(lane, signal);
      });
    });
  } finally {
    await log.close();
    await db.close();
  }
}

const postEveryMs = 2_000;

/** Posts figures of the thread until it ends, the first ones at once. */
function postThreadFigures(): void {
  let collections: Collection[] = [];
  const probe = new ThreadProbe((...collection) => collections.push(collection));
  const postFigures = (): void => {
    post({ kind: 'thread', figures: probe.read(), collections });
    collections = [];
  };
  probe.start();
  postFigures();
  setInterval(postFigures, postEveryMs).unref();
}

/** Records of a batch are consecutive in each partition. */
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
let onRecovered: (() => void) | undefined;
const recovered = new Promise<void>((resolve) => (onRecovered = resolve));
if (!suspected) onRecovered?.();
parentPort?.on('message', (message) => {
  if (message === stopMessage) stopping.abort();
  if (message !== recoveredMessage) return;
  suspected = false;
  onRecovered?.();
});
yieldToRequests();
postThreadFigures();
project(stopping.signal, recovered)
  .catch((error: unknown) => {
    if (!stopping.signal.aborted) post({ kind: 'failed', error: errorFields(error) });
  })
  // The port keeps the thread alive.
  .finally(() => parentPort?.close());
