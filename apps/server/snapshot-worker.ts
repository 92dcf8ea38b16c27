import { workerData } from 'node:worker_threads';
import { snapshot, type SnapshotOutcome } from '#projections';
import { withOwnReplay } from './own-replay';
import type { SnapshotTask } from './periodic-snapshot';
import { replayInThread } from './replay-thread';

const task = workerData as SnapshotTask;

replayInThread<SnapshotOutcome>((signal, { done, onNotice, onRecords }) =>
  withOwnReplay(task, 'nodeledger snapshot', signal, async (context) =>
    done(await snapshot({ ...context, onNotice, onRecords }, { historyMs: task.historyMs })),
  ),
);
