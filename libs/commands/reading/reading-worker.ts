/** The main module of the thread that reads large bodies. */
import { serveTasks } from '#threads';
import { type ReadBody, readers, type ReadingTask } from './readers';

serveTasks(
  ({ reader, body, options }: ReadingTask): ReadBody => {
    const read = readers[reader](Buffer.from(body.buffer, body.byteOffset, body.length), options);
    // Copies the payload into separate memory, because small buffers share memory, which Node.js does not transfer.
    return { ...read, payload: Buffer.from(new Uint8Array(read.payload).buffer) };
  },
  ({ payload }) => [payload.buffer as ArrayBuffer],
);
