/** The thread that reads large bodies, one after the other. */
import { parentPort } from 'node:worker_threads';
import { isFault } from '#fault';
import { readers } from './readers';
import type { ReadAnswer, ReadMessage } from './reading-messages';

function answer({ reader, body, options }: ReadMessage): ReadAnswer {
  try {
    const { payload, ...read } = readers[reader](Buffer.from(body.buffer), options);
    // Node.js refuses to transfer the memory that small buffers share.
    return { read, payload: new Uint8Array(payload) };
  } catch (error) {
    // Any other error ends the thread, and its owner fails the request.
    if (!isFault(error)) throw error;
    const { kind, code, message, hint, details } = error;
    return { fault: { kind, code, message, details, ...(hint !== undefined && { hint }) } };
  }
}

parentPort!.on('message', (message: ReadMessage) => {
  const sent = answer(message);
  parentPort!.postMessage(sent, 'payload' in sent ? [sent.payload.buffer as ArrayBuffer] : []);
});
