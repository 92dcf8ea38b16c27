import { join } from 'node:path';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { TaskThread } from '#threads';
import { type DocumentHead, headOf } from '../read/document-head';

/** The message to the thread. A Buffer arrives as a Uint8Array. */
export interface HeadTask {
  readonly payload: Uint8Array;
  readonly entry: string;
}

/** Limit on the bytes of documents that the main thread reads itself, in less than 5 ms. */
const mostBytesAtOnce = 512 << 10;
const heapMb = 256;

/** Reads the heads of imported documents. Reads large documents in a thread. */
@Injectable()
export class HeadReader implements OnModuleDestroy {
  private readonly thread = new TaskThread<HeadTask, DocumentHead>(
    'imports',
    join(__dirname, 'heads-worker.js'),
    heapMb,
  );

  /**
   * Reads the head of a document. The caller must not use `payload` afterwards. Throws `import.entry` if the document
   * is invalid.
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
