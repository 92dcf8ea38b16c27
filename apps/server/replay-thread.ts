import { join } from 'node:path';
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import type { ReplayHandling } from '#projections';
import { type PostedError, postedError, receivedError } from './posted-error';
import { stopMessage } from './projector-messages';
import { yieldToRequests } from './thread-priority';

type ReplayMessage<Outcome> =
  | { readonly kind: 'replayed'; readonly records: number }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly error: PostedError };

/**
 * A thread that takes longer to end is terminated. A later replay then applies the records that the thread has not
 * committed.
 */
const longestEndMs = 15_000;

/** Resolves when the thread has ended, with undefined if `signal` aborted before the outcome. */
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
      // The promise settles only on exit, because only then is it certain that the thread no longer uses the tables.
      if (done !== undefined || signal.aborted) resolve(done?.outcome);
      else reject(failure ?? new Error(`the thread of the ${name} ended with code ${code}`));
    });
  });
}

export interface ReplayPost<Outcome> {
  readonly onRecords: (records: number) => void;
  readonly onNotice: (text: string) => void;
  /** The thread calls `done` when only the closing of its connections is left to do. */
  readonly done: (outcome: Outcome) => void;
}

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
