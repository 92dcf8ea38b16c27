/**
 * The thread has its own connections and its own reader of the log, so that projecting never delays the acknowledgement
 * of a command.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { blocklist } from '#config';
import { Database, databaseIdentity, Generations } from '#database';
import type { LogRecord } from '#log';
import { errorFields } from '#observe';
import { aborted, BatchMemory, Projector, runTogether } from '#projections';
import type { CurrentBatch } from './crash-recovery';
import { fillLive } from './fill-live';
import { logAt } from './log-location';
import { BatchMeter } from './metrics/batch-meter';
import { type Collection, ThreadProbe } from './metrics/thread-probe';
import {
  slotsPerThread,
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

/**
 * PostgreSQL ends a transaction that is idle for this time. Otherwise a process that hangs during a batch would keep
 * locks that other projectors need.
 */
const idleTransactionTimeoutMs = 60_000;

async function project(stopping: AbortSignal, recovered: Promise<void>): Promise<void> {
  const { connectionString, logId, limits, recoveryPlan } = task;
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
    const database = await databaseIdentity(db);
    const dropFact = blocklist(task.factsBlocklist);
    const memory = new BatchMemory(slotsPerThread);
    await fillLive(db, new Generations(db), stopping, (generation, until) => {
      const runSlot = (slot: number, signal: AbortSignal): Promise<void> => {
        const meter = new BatchMeter();
        const projector = new Projector({
          db,
          log,
          logId,
          generation,
          // Projectors with the same group share the partitions. Projectors that fill different schemas must not share
          // partitions, because each schema needs the records of all partitions.
          group: `nodeledger-projector-${database}-${generation.schema}`,
          maxCommandBytes: limits.commandBytes,
          limits,
          dropFact,
          memory,
          recoveryPlan,
          onBegin: (records) => {
            meter.begin(records);
            post({ kind: 'begin', slot, batch: atHand(records) });
          },
          onStep: (step) => meter.did(step),
          onBatch: (records, outcomes) =>
            post({ kind: 'committed', slot, records, figures: meter.committed(outcomes) }),
          onDeadLetter: ({ record: { uuid, command, certname }, error }) =>
            post({ kind: 'dead-letter', uuid, command, certname, error: errorFields(error) }),
          onPositions: (positions) => {
            if (suspected) post({ kind: 'positions', positions });
          },
          onRetry: (error, waitMs) =>
            post({ kind: 'retry', slot, waitMs, error: errorFields(error), waiting: meter.retried() }),
        });
        return projector.run(signal);
      };
      post({ kind: 'running', generation: generation.generation });
      return runTogether(until, slotsPerThread, async (slot, signal) => {
        // While commands that may have caused a crash are applied, only the first slot runs, so that another crash has
        // only one possible cause.
        if (slot > 0) await Promise.race([recovered, aborted(signal)]);
        return runSlot(slot, signal);
      });
    });
  } finally {
    await log.close();
    await db.close();
  }
}

const postEveryMs = 2_000;

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

/** The records of a batch are consecutive in each partition. */
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
  // An open port keeps the thread alive.
  .finally(() => parentPort?.close());
