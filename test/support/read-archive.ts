import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { extract, type Header } from 'tar-stream';

export interface ReadEntry {
  readonly header: Header;
  readonly text: string;
}

export async function collected(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** Returns all entries of an archive, in order. */
export async function readArchive(archive: Buffer): Promise<ReadEntry[]> {
  const tar = extract();
  Readable.from([gunzipSync(archive)]).pipe(tar);
  const entries: ReadEntry[] = [];
  for await (const entry of tar) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    entries.push({ header: entry.header, text: Buffer.concat(chunks).toString('utf8') });
  }
  return entries;
}
