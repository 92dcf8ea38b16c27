import { serveTasks } from '#threads';
import { type ReadBody, readers, type ReadingTask } from './readers';

serveTasks(
  ({ reader, body, options }: ReadingTask): ReadBody => {
    const read = readers[reader](Buffer.from(body.buffer, body.byteOffset, body.length), options);
    // Copies the payload, because small buffers share memory, and Node.js does not transfer shared memory.
    return { ...read, payload: Buffer.from(new Uint8Array(read.payload).buffer) };
  },
  ({ payload }) => [payload.buffer as ArrayBuffer],
);
