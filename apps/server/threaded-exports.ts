import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type AnonymizationProfile, ArchiveExports, archiveRoots } from '#archive';
import type { Settings } from '#config';
import { heapLimitMb } from '#limits';
import { type ExportMessage, type ExportTask, nextMessage } from './export-messages';
import { postedError, receivedError } from './posted-error';
import { type ProjectorTask, stopMessage } from './projector-messages';

const stopMs = 5_000;

export class ThreadedExports extends ArchiveExports {
  readonly product: string;
  private readonly workers = new Set<Worker>();

  constructor(
    private readonly task: ProjectorTask,
    private readonly dialect: Settings['dialect'],
  ) {
    super();
    this.product = dialect === 'puppetdb' ? 'puppetdb' : 'nodeledger';
  }

  async *open(profile: AnonymizationProfile, signal: AbortSignal): AsyncGenerator<Buffer> {
    const task: ExportTask = { ...this.task, root: archiveRoots[this.dialect], profile };
    const worker = new Worker(join(__dirname, 'export-worker.js'), {
      workerData: task,
      name: 'export',
      // The export decodes one document after the other, so a small young generation is enough.
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMb(task.limits.commandBytes), maxYoungGenerationSizeMb: 16 },
    });
    this.workers.add(worker);
    const messages = new Messages(worker);
    const stop = (): void => worker.postMessage(stopMessage);
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        const message = await messages.next();
        if (message.kind === 'done') return;
        if (message.kind === 'failed') throw receivedError(message.error);
        yield Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.byteLength);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
      const late = setTimeout(() => void worker.terminate(), stopMs).unref();
      void messages.ended.then(() => {
        clearTimeout(late);
        this.workers.delete(worker);
      });
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.terminate()));
  }
}

class Messages {
  readonly ended: Promise<void>;
  private readonly received: ExportMessage[] = [];
  private wake: () => void = () => undefined;

  constructor(private readonly worker: Worker) {
    const receive = (message: ExportMessage): void => {
      this.received.push(message);
      this.wake();
    };
    worker.on('message', receive).on('error', (error) => receive({ kind: 'failed', error: postedError(error) }));
    this.ended = new Promise((resolve) =>
      worker.once('exit', (code) => {
        receive({
          kind: 'failed',
          error: { type: 'Error', message: `the thread of the export ended with code ${code}` },
        });
        resolve();
      }),
    );
  }

  async next(): Promise<ExportMessage> {
    if (this.received.length === 0) {
      this.worker.postMessage(nextMessage);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    return this.received.shift()!;
  }
}
