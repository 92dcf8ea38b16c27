import type { Readable } from 'node:stream';
import { Fault, isFault } from '#fault';
import { crowded } from './body-budget';
import type { BodyMemory } from './body-memory';

const leastBlockBytes = 512;
const mostBlockBytes = 65_536;

interface BodyOptions {
  readonly most: number;
  /** Reserves memory for the bytes of the body. If the body is not read to its end, the memory is released. */
  readonly memory: Pick<BodyMemory, 'take' | 'release'>;
  readonly broken?: (cause: unknown) => Fault;
}

/**
 * Reads a body. Returns undefined as soon as the stream exceeds `most` bytes. Throws `http.crowded` if the budget for
 * bodies is used up. If the stream fails, throws `http.client-left`, or the fault that `broken` makes.
 *
 * Copies small pieces into blocks, because a client can send a body byte by byte, and one buffer for each byte would
 * take a hundred times the memory. A block is small at first and grows with the body, because a client can also begin
 * very many bodies and send one byte of each.
 */
export async function readBody(
  stream: Readable,
  { most, memory, broken = clientLeft }: BodyOptions,
): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const blocks: Buffer[] = [];
    let block = Buffer.alloc(0);
    let used = 0;
    let total = 0;
    const finish = (settle: () => void): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      settle();
    };
    // Releases the memory before the answer is sent, so that other bodies can use it.
    const fail = (settle: () => void): void => {
      memory.release();
      finish(settle);
    };
    const onData = (piece: Buffer): void => {
      total += piece.length;
      if (total > most) return fail(() => resolve(undefined));
      if (!memory.take(piece.length)) return fail(() => reject(crowded()));
      if (piece.length > block.length - used) {
        blocks.push(block.subarray(0, used));
        used = 0;
        const bytes = Math.min(mostBlockBytes, Math.max(leastBlockBytes, 2 * piece.length, total));
        // Keeps a large piece as it is. Copies a small piece, because it may be a slice of a larger buffer, which would
        // stay in memory.
        block = piece.length >= mostBlockBytes / 4 ? Buffer.alloc(0) : Buffer.alloc(bytes);
        if (block.length === 0) {
          blocks.push(piece);
          return;
        }
      }
      used += piece.copy(block, used);
    };
    const onEnd = (): void => {
      // Over HTTP/2, an aborted request emits `end` like a complete request.
      if ('aborted' in stream && stream.aborted === true) return onClose();
      finish(() => resolve(Buffer.concat([...blocks, block.subarray(0, used)], total)));
    };
    const onError = (error: Error): void => fail(() => reject(isFault(error) ? error : broken(error)));
    const onClose = (): void => fail(() => reject(clientLeft()));
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

const clientLeft = (cause?: unknown): Fault =>
  new Fault('malformed', 'http.client-left', 'The client closed the connection before its body was complete.', {
    cause,
  });
