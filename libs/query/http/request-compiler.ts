import { join } from 'node:path';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type TaskOptions, TaskThread } from '#threads';
import { type CompiledRequest, compileRequest, type RequestText } from './compile-request';

/**
 * Largest size in bytes of a request that is compiled on the main thread. The slowest request of this size takes 25 ms.
 */
const mostBytesAtOnce = 4 << 10;
const heapMb = 512;

/**
 * Compiles small requests on the main thread and large requests in a second thread. A request keeps its permit while it
 * waits for the second thread, so few requests wait.
 */
@Injectable()
export class RequestCompiler implements OnModuleDestroy {
  private readonly thread = new TaskThread<RequestText, CompiledRequest>(
    'queries',
    join(__dirname, 'query-worker.js'),
    heapMb,
  );

  async compile(request: RequestText, client: TaskOptions): Promise<CompiledRequest> {
    const bytes = request.body?.length ?? request.url.length;
    return bytes <= mostBytesAtOnce ? compileRequest(request) : this.thread.perform(request, client);
  }

  onModuleDestroy(): Promise<void> {
    return this.thread.close();
  }
}
