/** Threads that replay the log or make a snapshot of it: the messages, and both ends of them. */
import { join } from 'node:path';
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import type { ReplayHandling } from '#projections';
import { type PostedError, postedError, receivedError } from './posted-error';
import { stopMessage } from './projector-messages';
import { yieldToRequests } from './thread-priority';

/** The last message is `done` or `failed`. */
type ReplayMessage<Outcome> =
  /** This many more records were applied. */
  | { readonly kind: 'replayed'; readonly records: number }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly error: PostedError };

/** Time for a thread to finish its batch before it is terminated. Records that it has not committed are replayed again. */
const longestEndMs = 15_000;

/**
 * Runs a program of this folder in a thread. Resolves when the thread has ended, with its outcome, or with undefined if `signal` has
 * aborted.
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
  // The signal may have aborted before the listener was added.
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
      // The thread has stopped using the tables. Errors after a stop do not matter.
      if (done !== undefined || signal.aborted) resolve(done?.outcome);
      else reject(failure ?? new Error(`the thread of the ${name} ended with code ${code}`));
    });
  });
}

/** The thread's end of the channel. */
export interface ReplayPost<Outcome> {
  readonly onRecords: (records: number) => void;
  readonly onNotice: (text: string) => void;
  /** The work of the thread calls this when only closing is left. */
  readonly done: (outcome: Outcome) => void;
}

/** Does the work of the thread in which it is called, until the other end asks to stop. */
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
    // The port keeps the thread alive.
    .finally(() => parentPort?.close());
}
