import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Fault, isFault } from '#fault';
import { type Limits, overLimit } from '#limits';

const gzipMark = 0x1f;
/**
 * The compression ratio is checked only after this many inflated bytes, because a small archive of similar documents
 * may have a high ratio.
 */
const leastInflated = 10_000_000;

/**
 * Inflates a gzip file, which may have several members. Throws `import.broken` if the bytes are not gzip or are
 * incomplete, `http.limit` if the ratio exceeds the limit, and the faults of `pieces`.
 */
export async function* inflated(
  pieces: AsyncIterable<Buffer>,
  limits: Limits,
): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip();
  let sourceFailure: Error | undefined;
  let given = 0;
  let begins = false;
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const piece of pieces) {
        begins ||= given === 0 && piece[0] === gzipMark;
        given += piece.length;
        yield piece;
      }
    } catch (error) {
      sourceFailure = error as Error;
      throw error;
    }
  }
  pipeline(counted(), gunzip, () => undefined);
  let found = 0;
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      found += piece.length;
      if (found > leastInflated && found > given * limits.archiveRatio) throw overLimit(limits, 'archiveRatio');
      yield piece;
    }
  } catch (error) {
    if (sourceFailure !== undefined) throw sourceFailure;
    if (isFault(error)) throw error;
    if (given === 0) throw noBytes();
    throw notInflated(error, found, begins);
  } finally {
    gunzip.destroy();
  }
  if (given === 0) throw noBytes();
}

export const brokenArchive = (message: string, cause?: unknown): Fault =>
  new Fault('malformed', 'import.broken', message, {
    hint: 'An archive is a tar file compressed with gzip, as the export makes it. A repeat of the import changes nothing that is stored already.',
    ...(cause === undefined ? {} : { cause }),
  });

const noBytes = (): Error => brokenArchive('The archive is empty: it has 0 bytes.');

function notInflated(error: unknown, found: number, begins: boolean): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code?.startsWith('Z_') !== true) return error as Error;
  if (code === 'Z_BUF_ERROR') return brokenArchive('The archive is cut off: its gzip data end too early.', error);
  return brokenArchive(
    !begins
      ? 'The archive is not compressed with gzip.'
      : `The archive is damaged: after ${found} bytes its gzip data are wrong (${message}).`,
    error,
  );
}
