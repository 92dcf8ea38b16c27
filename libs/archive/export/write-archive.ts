import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import type { ArchiveEntry } from './archive-entries';

/**
 * Returns the bytes of a tar.gz file. Equal entries give equal bytes. Throws the errors of `entries`. Closes `entries`
 * if the reader stops early.
 */
export async function* writeArchive(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Buffer> {
  const tar = pack();
  const gzip = createGzip({ level: 6 });
  const source = entries[Symbol.asyncIterator]();
  const written = fill(tar, source);
  // Destroys the stream with the error, so that the loop below throws the error to the reader.
  written.catch((error: Error) => gzip.destroy(error));
  tar.on('error', (error) => gzip.destroy(error));
  tar.pipe(gzip);
  try {
    let isHeader = true;
    for await (const chunk of gzip as AsyncIterable<Buffer>) {
      if (isHeader) forgetSystem(chunk);
      isHeader = false;
      yield chunk;
    }
    await written;
  } finally {
    tar.destroy();
    gzip.destroy();
    await source.return?.();
  }
}

async function fill(tar: Pack, source: AsyncIterator<ArchiveEntry>): Promise<void> {
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    const { name, time, text } = next.value;
    await add(tar, name, time, Buffer.from(text));
  }
  tar.finalize();
}

/**
 * In milliseconds: 2038-01-19T03:14:07Z. Some programs cannot read an archive with a later time, or with a time before
 * 1970.
 */
const latestTime = (2 ** 31 - 1) * 1_000;

function add(tar: Pack, name: string, time: number, content: Buffer): Promise<void> {
  const header = {
    name,
    mode: 0o644,
    uid: 0,
    gid: 0,
    uname: '',
    gname: '',
    type: 'file',
    mtime: new Date(Math.min(Math.max(time, 0), latestTime)),
  } as const;
  return new Promise((resolve, reject) => {
    tar.entry(header, content, (error) => (error ? reject(error) : resolve()));
  });
}

/** Sets the operating system in the gzip header to 255 (unknown), so that all systems write the same bytes. */
function forgetSystem(chunk: Buffer): void {
  chunk[9] = 255;
}
