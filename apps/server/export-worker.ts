/**
 * Runs an export in a thread, because decoding all documents of a fleet takes minutes and would delay requests on the
 * main thread. After each piece, the thread pauses until the client requests the next piece.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { anonymizer, exportArchive } from '#archive/export';
import { type ExportMessage, type ExportTask, nextMessage } from './export-messages';
import { withOwnReplay } from './own-replay';
import { postedError } from './posted-error';
import { stopMessage } from './projector-messages';
import { yieldToRequests } from './thread-priority';

const task = workerData as ExportTask;
const pieceBytes = 128 << 10;

const wakers: (() => void)[] = [];
let waiting = 0;
const stopping = new AbortController();
parentPort?.on('message', (message) => {
  if (message === stopMessage) stopping.abort();
  if (message === nextMessage) waiting += 1;
  wakers.splice(0).forEach((wake) => wake());
});

async function untilRequested(): Promise<void> {
  while (waiting === 0 && !stopping.signal.aborted) await new Promise<void>((resolve) => wakers.push(resolve));
  stopping.signal.throwIfAborted();
  waiting -= 1;
}

const post = (message: ExportMessage): void => parentPort?.postMessage(message);

const run = (): Promise<void> =>
  withOwnReplay(task, 'nodeledger export', stopping.signal, async (context) => {
    let held: Buffer[] = [];
    const send = async (): Promise<void> => {
      await untilRequested();
      post({ kind: 'piece', bytes: Buffer.concat(held) });
      held = [];
    };
    for await (const chunk of exportArchive(context, { root: task.root, anonymizer: anonymizer(task.profile) })) {
      held.push(chunk);
      if (held.reduce((sum, one) => sum + one.length, 0) >= pieceBytes) await send();
    }
    if (held.length > 0) await send();
    await untilRequested();
  });

yieldToRequests();
run()
  .then(() => post({ kind: 'done' }))
  .catch((error: unknown) => post({ kind: 'failed', error: postedError(error) }))
  .finally(() => parentPort?.close());
