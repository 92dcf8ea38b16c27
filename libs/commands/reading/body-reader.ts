import { join } from 'node:path';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { heapLimitMb } from '#limits';
import { type TaskOptions, TaskThread } from '#threads';
import { IntakeLimits } from '../intake-limits';
import { type ReadBody, type ReaderName, type Readers, readers, type ReadingTask } from './readers';

/**
 * For each reader, the size in bytes of the largest body that is read on the main thread. Reading such a body takes at
 * most 20 ms.
 */
const mostBytesAtOnce: Readonly<Record<ReaderName, number>> = { agentReport: 32 << 10, bodyForm: 512 << 10 };

/**
 * Reads small bodies on the main thread and large bodies in a thread. The budget for bodies also limits how many bodies
 * wait for the thread.
 */
@Injectable()
export class BodyReader implements OnModuleDestroy {
  private readonly thread: TaskThread<ReadingTask, ReadBody>;

  constructor(private readonly limits: IntakeLimits) {
    this.thread = new TaskThread('reading', join(__dirname, 'reading-worker.js'), heapLimitMb(limits.maxPayloadBytes));
  }

  /**
   * The caller must not use `body` after the call, because its memory can move to the thread. Throws the faults of the
   * reader.
   */
  async read<N extends ReaderName>(
    reader: N,
    body: Buffer,
    receivedAt: number,
    client: TaskOptions,
  ): Promise<ReturnType<Readers[N]>> {
    const options = { receivedAt, limits: this.limits.documents };
    type Read = ReturnType<Readers[N]>;
    if (body.length <= mostBytesAtOnce[reader]) return readers[reader](body, options) as Read;
    const transfer = [body.buffer as ArrayBuffer];
    const read = await this.thread.perform({ reader, body, options }, { ...client, transfer });
    const { buffer, byteOffset, length } = read.payload;
    return { ...read, payload: Buffer.from(buffer, byteOffset, length) } as Read;
  }

  onModuleDestroy(): Promise<void> {
    return this.thread.close();
  }
}
