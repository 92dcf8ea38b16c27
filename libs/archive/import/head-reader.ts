import { join } from 'node:path';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { TaskThread } from '#threads';
import { type DocumentHead, headOf } from '../read/document-head';

/** The thread gets a Buffer as a Uint8Array. */
export interface HeadTask {
  readonly payload: Uint8Array;
  readonly entry: string;
}

/** The main thread reads a document of this size in less than 5 ms. A thread reads larger documents. */
const mostBytesAtOnce = 512 << 10;
const heapMb = 256;

@Injectable()
export class HeadReader implements OnModuleDestroy {
  private readonly thread = new TaskThread<HeadTask, DocumentHead>(
    'imports',
    join(__dirname, 'heads-worker.js'),
    heapMb,
  );

  /**
   * The caller must not use `payload` afterwards, because its memory may move to the thread. Throws `import.entry` if
   * the document is invalid.
   */
  async read(payload: Buffer, entry: string): Promise<DocumentHead> {
    if (payload.length <= mostBytesAtOnce) return headOf(payload, entry);
    // Copies a payload whose memory is shared with other buffers, because such memory cannot be transferred to the
    // thread.
    const own = payload.length === payload.buffer.byteLength ? payload : Buffer.from(new Uint8Array(payload).buffer);
    const head = await this.thread.perform({ payload: own, entry }, { transfer: [own.buffer as ArrayBuffer] });
    const { buffer, byteOffset, length } = head.payload;
    return { ...head, payload: Buffer.from(buffer, byteOffset, length) };
  }

  onModuleDestroy(): Promise<void> {
    return this.thread.close();
  }
}
