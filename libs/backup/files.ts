import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Only the owner can read backups, because facts, catalogs and rejected commands contain secrets. */
export const fileMode = 0o600;
export const directoryMode = 0o700;
export const unfinished = '.part';

export interface WrittenFile {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes and flushes a file under a temporary name, then renames it, so that a file with the final name is always
 * complete.
 */
export async function writeWhole(path: string, content: string | AsyncIterable<Buffer>): Promise<WrittenFile> {
  const part = `${path}${unfinished}`;
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(part, 'w', fileMode);
  try {
    for await (const piece of typeof content === 'string' ? [Buffer.from(content)] : content) {
      hash.update(piece);
      bytes += piece.length;
      await file.writeFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
  await syncDirectory(dirname(path));
  return { bytes, sha256: hash.digest('hex') };
}

/** Flushes a directory, so that its file names survive a crash. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

export async function hashFile(path: string, signal: AbortSignal): Promise<WrittenFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20, signal }) as AsyncIterable<Buffer>) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
