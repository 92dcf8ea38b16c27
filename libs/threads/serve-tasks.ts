import { parentPort } from 'node:worker_threads';
import { isFault } from '#fault';
import type { PostedResult } from './posted-result';

/**
 * Runs in the thread of a TaskThread. If `perform` throws anything other than a fault, the thread ends, and the
 * TaskThread rejects the task. The memory that `transfer` returns is moved to the other thread instead of copied.
 */
export function serveTasks<Message, Result>(
  perform: (message: Message) => Result,
  transfer: (result: Result) => ArrayBuffer[] = () => [],
): void {
  const post = (posted: PostedResult<Result>, moved: ArrayBuffer[] = []): void =>
    parentPort!.postMessage(posted, moved);
  parentPort!.on('message', (message: Message) => {
    try {
      const result = perform(message);
      post({ result }, transfer(result));
    } catch (error) {
      if (!isFault(error)) throw error;
      const { kind, code, message, hint, details } = error;
      post({ fault: { kind, code, message, details, ...(hint !== undefined && { hint }) } });
    }
  });
}
