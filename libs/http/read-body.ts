import type { Readable } from 'node:stream';
import { Fault, isFault } from '#fault';
import { crowded } from './body-budget';
import type { BodyReservation } from './body-reservation';

const leastBlockBytes = 512;
const mostBlockBytes = 65_536;

/**
 * Reads a stream of bytes up to `most`; undefined where there are more, as soon as that is known. Small pieces are
 * copied together: a client can send a body byte by byte, and a piece of its own takes a hundred times that. What they are
 * copied to grows with the body: a client can also begin very many bodies and send one byte of each.
 * Faults: `http.crowded` (busy) where the bodies of all requests leave no room, `http.client-left` (malformed).
 */
export async function readBody(
  stream: Readable,
  most: number,
  reservation: BodyReservation,
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
    const onData = (piece: Buffer): void => {
      total += piece.length;
      if (total > most) return finish(() => resolve(undefined));
      if (!reservation.take(piece.length)) return finish(() => reject(crowded()));
      if (piece.length > block.length - used) {
        blocks.push(block.subarray(0, used));
        used = 0;
        const bytes = Math.min(mostBlockBytes, Math.max(leastBlockBytes, 2 * piece.length, total));
        // Of a pool that others share, a part would keep all of it.
        block = piece.length >= mostBlockBytes / 4 ? Buffer.alloc(0) : Buffer.alloc(bytes);
        if (block.length === 0) {
          blocks.push(piece);
          return;
        }
      }
      used += piece.copy(block, used);
    };
    const onEnd = (): void => {
      // Over HTTP/2, a request that is broken off ends as one that is complete.
      if ('aborted' in stream && stream.aborted === true) return onClose();
      finish(() => resolve(Buffer.concat([...blocks, block.subarray(0, used)], total)));
    };
    const onError = (error: Error): void => finish(() => reject(isFault(error) ? error : clientLeft(error)));
    const onClose = (): void => finish(() => reject(clientLeft()));
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

const clientLeft = (cause?: unknown): Fault =>
  new Fault('malformed', 'http.client-left', 'The client closed the connection before its body was complete.', {
    cause,
  });
