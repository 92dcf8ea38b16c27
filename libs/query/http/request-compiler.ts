import { join } from 'node:path';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type TaskOptions, TaskThread } from '#threads';
import { type CompiledRequest, compileRequest, type RequestText } from './compile-request';

/** Smaller requests are compiled at once. The slowest of this size compares paths of 90 steps with rows of values: 25 ms. */
const mostBytesAtOnce = 4 << 10;
const heapMb = 512;

/** Compiles requests, large ones in a thread. A request waits for the thread with its permit, so few wait. */
@Injectable()
export class RequestCompiler implements OnModuleDestroy {
  private readonly thread = new TaskThread<RequestText, CompiledRequest>(
    'queries',
    join(__dirname, 'query-worker.js'),
    heapMb,
  );

  /** Faults: those of `compileRequest`. */
  async compile(request: RequestText, client: TaskOptions): Promise<CompiledRequest> {
    const bytes = request.body?.length ?? request.url.length;
    return bytes <= mostBytesAtOnce ? compileRequest(request) : this.thread.perform(request, client);
  }

  onModuleDestroy(): Promise<void> {
    return this.thread.close();
  }
}
