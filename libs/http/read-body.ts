import type { Readable } from 'node:stream';

const blockBytes = 65_536;

/**
 * Reads a stream of bytes up to `most`; undefined where there are more, as soon as that is known. Small pieces are
 * copied together: a client can send a body byte by byte, and a piece of its own takes a hundred times that.
 */
export async function readBody(stream: Readable, most: number): Promise<Buffer | undefined> {
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
      if (piece.length > block.length - used) {
        blocks.push(block.subarray(0, used));
        used = 0;
        block = Buffer.alloc(piece.length >= blockBytes / 4 ? 0 : blockBytes);
        if (block.length === 0) {
          blocks.push(piece);
          return;
        }
      }
      used += piece.copy(block, used);
    };
    const onEnd = (): void => finish(() => resolve(Buffer.concat([...blocks, block.subarray(0, used)], total)));
    const onError = (error: Error): void => finish(() => reject(error));
    const onClose = (): void => finish(() => reject(new Error('the client closed the connection within its body')));
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}
