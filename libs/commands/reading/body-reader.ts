import { join } from 'node:path';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { heapLimitMb } from '#limits';
import { type TaskOptions, TaskThread } from '#threads';
import { IntakeLimits } from '../intake-limits';
import { type ReadBody, type ReaderName, type Readers, readers, type ReadingTask } from './readers';

/**
 * Smaller bodies are read at once. The slowest bodies of these sizes take 20 ms: a report whose log lines are all wrong, and a
 * command that is a list of numbers.
 */
const mostBytesAtOnce: Readonly<Record<ReaderName, number>> = { agentReport: 32 << 10, bodyForm: 512 << 10 };

/** Reads the bodies of requests, large ones in a thread. How many bodies may wait is bounded by the memory for bodies. */
@Injectable()
export class BodyReader implements OnModuleDestroy {
  private readonly thread: TaskThread<ReadingTask, ReadBody>;

  constructor(private readonly limits: IntakeLimits) {
    this.thread = new TaskThread('reading', join(__dirname, 'reading-worker.js'), heapLimitMb(limits.maxPayloadBytes));
  }

  /** The caller must not use `body` afterwards. Faults: those of the reader. */
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
