/**
 * Runs threads that replay the log or make a snapshot of it. Contains the messages of these threads, and the code that
 * sends and receives them.
 */
import { join } from 'node:path';
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import type { ReplayHandling } from '#projections';
import { type PostedError, postedError, receivedError } from './posted-error';
import { stopMessage } from './projector-messages';
import { yieldToRequests } from './thread-priority';

/** Messages from the thread. The last message is `done` or `failed`. */
type ReplayMessage<Outcome> =
  | { readonly kind: 'replayed'; readonly records: number }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly error: PostedError };

/**
 * Time that a thread gets to finish its batch after a stop, in milliseconds. A thread that takes longer is terminated.
 * A later replay then applies the records that it has not committed.
 */
const longestEndMs = 15_000;

/**
 * Runs `replay-worker` or `snapshot-worker` in a thread. Resolves with the outcome when the thread has ended, or with
 * undefined if `signal` has aborted.
 */
export function runReplayThread<Outcome>(
  name: 'replay' | 'snapshot',
  workerData: object,
  { signal, onRecords, onNotice }: ReplayHandling,
  resourceLimits: ResourceLimits = {},
): Promise<Outcome | undefined> {
  const worker = new Worker(join(__dirname, `${name}-worker.js`), { workerData, name, resourceLimits });
  let late: NodeJS.Timeout | undefined;
  const endSoon = (): void => {
    late ??= setTimeout(() => void worker.terminate(), longestEndMs);
  };
  const stop = (): void => {
    worker.postMessage(stopMessage);
    endSoon();
  };
  signal.addEventListener('abort', stop, { once: true });
  // The listener is not called if the signal aborted before it was added.
  if (signal.aborted) stop();
  return new Promise((resolve, reject) => {
    let done: { readonly outcome: Outcome } | undefined;
    let failure: Error | undefined;
    const failed = (error: Error): void => {
      failure ??= error;
      endSoon();
    };
    worker.on('message', (message: ReplayMessage<Outcome>) => {
      if (message.kind === 'replayed') onRecords?.(message.records);
      else if (message.kind === 'notice') onNotice?.(message.text);
      else if (message.kind === 'failed') failed(receivedError(message.error));
      else {
        done = message;
        endSoon();
      }
    });
    worker.on('error', failed);
    worker.on('exit', (code) => {
      clearTimeout(late);
      signal.removeEventListener('abort', stop);
      // The promise settles only when the thread has exited, because only then is it certain that the thread no longer
      // uses the tables. Errors after a stop are ignored.
      if (done !== undefined || signal.aborted) resolve(done?.outcome);
      else reject(failure ?? new Error(`the thread of the ${name} ended with code ${code}`));
    });
  });
}

/** Functions by which the thread reports to its creator. */
export interface ReplayPost<Outcome> {
  readonly onRecords: (records: number) => void;
  readonly onNotice: (text: string) => void;
  /** Reports the outcome. The thread calls `done` when only the closing of its connections is left to do. */
  readonly done: (outcome: Outcome) => void;
}

/** Calls `work` in the current thread. Aborts `signal` when the creator of the thread asks for a stop. */
export function replayInThread<Outcome>(work: (signal: AbortSignal, post: ReplayPost<Outcome>) => Promise<void>): void {
  const send = (message: ReplayMessage<Outcome>): void => parentPort?.postMessage(message);
  const stopping = new AbortController();
  parentPort?.on('message', (message) => {
    if (message === stopMessage) stopping.abort();
  });
  yieldToRequests();
  work(stopping.signal, {
    onRecords: (records) => send({ kind: 'replayed', records }),
    onNotice: (text) => send({ kind: 'notice', text }),
    done: (outcome) => send({ kind: 'done', outcome }),
  })
    .catch((error: unknown) => send({ kind: 'failed', error: postedError(error) }))
    // An open port keeps the thread alive.
    .finally(() => parentPort?.close());
}
