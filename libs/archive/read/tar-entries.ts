import { extract, type Extract, type Header } from 'tar-stream';
import { isFault } from '#fault';
import { checkLimit, type Limits, overLimit } from '#limits';
import { brokenArchive } from './inflated';
import { wrongEntry } from './wrong-entry';

export interface TarEntry {
  readonly name: string;
  readonly isFolder: boolean;
  /**
   * Call this function before you request the next entry. That request makes the parser skip content that was not read.
   */
  content(): Promise<Buffer>;
}

type Source = Extract extends AsyncIterable<infer Entry> ? Entry : never;

const padded = (size: number): number => Math.ceil(size / 512) * 512;
/**
 * An export writes one or two attributes for an entry. The attributes of a global header are also attributes of each
 * later entry.
 */
const mostAttributes = 50;

/** Throws `import.broken`, `import.entry`, `http.limit`, and the faults of `pieces`. */
export async function* tarEntries(
  pieces: AsyncIterable<Buffer>,
  limits: Limits,
): AsyncGenerator<TarEntry, void, undefined> {
  const tar = extract();
  const feed = new Feed(tar, pieces, limits);
  const entries = tar[Symbol.asyncIterator]();
  let count = 0;
  try {
    // Does not use `for await`. Code that leaves such a loop waits until the parser is closed, and the parser may wait
    // until this loop reads its output. Both would then wait forever.
    for (;;) {
      const next = await entries.next();
      if (next.done === true) break;
      const entry = next.value;
      const { header } = entry;
      feed.begin(entry);
      checkLimit(limits, 'archiveEntries', ++count);
      checkLimit(limits, 'archiveName', header.name.length);
      yield { name: header.name, isFolder: checkEntry(header, limits), content: () => contentOf(entry, feed) };
      entry.resume();
    }
  } catch (error) {
    throw feed.fault(error);
  } finally {
    feed.stop();
    tar.destroy();
  }
  if (feed.failure !== undefined) throw feed.failure;
  if (count === 0) throw brokenArchive('The archive has no entries.');
}

class Feed {
  failure: Error | undefined;
  private written = 0;
  /** Offset after the last entry whose header was read. */
  private entryEnd = 0;
  private isStopped = false;
  private wake: (() => void) | undefined;

  constructor(
    private readonly tar: Extract,
    private readonly pieces: AsyncIterable<Buffer>,
    private readonly limits: Limits,
  ) {
    void this.run();
  }

  begin({ header }: Source): void {
    const { byteOffset = this.written } = header as Header & { byteOffset?: number };
    this.entryEnd = byteOffset + padded(header.size);
  }

  fault(error: unknown): Error {
    if (this.failure !== undefined) return this.failure;
    if (isFault(error)) return error;
    return brokenArchive(`The archive is no tar file, or it is damaged: ${(error as Error).message}.`, error);
  }

  stop(): void {
    this.isStopped = true;
    this.wake?.();
  }

  private async run(): Promise<void> {
    try {
      for await (const piece of this.pieces) {
        if (this.isStopped) return;
        this.written += piece.length;
        // Limits the bytes outside of entries, because the parser collects headers and skips zeros without a limit.
        if (this.written - this.entryEnd > this.limits.archiveHeaderBytes + piece.length)
          throw overLimit(this.limits, 'archiveHeaderBytes');
        if (!this.tar.write(piece) && !this.isStopped) await this.drained();
      }
      this.tar.end(null);
    } catch (error) {
      this.failure = error as Error;
      this.tar.destroy(this.failure);
    }
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      this.tar.once('drain', resolve);
    });
  }
}

async function contentOf(entry: Source, feed: Feed): Promise<Buffer> {
  const parts: Buffer[] = [];
  try {
    for await (const part of entry as AsyncIterable<Buffer>) parts.push(part);
  } catch (error) {
    throw feed.fault(error);
  }
  return Buffer.concat(parts);
}

/**
 * Returns whether the entry is a folder. Throws `import.entry` if the entry is neither a file nor a folder, or if its
 * path leaves the archive. Throws `http.limit` if the entry is too large.
 */
function checkEntry({ name, type, size, pax }: Header, limits: Limits): boolean {
  const kind: string | null = type;
  if (kind !== 'file' && kind !== 'contiguous-file' && kind !== 'directory')
    throw wrongEntry(name, `is ${kinds[kind ?? ''] ?? 'of a kind that archives do not have'}`);
  const attributes = Object.keys(pax ?? {});
  if (attributes.some((one) => one.startsWith('GNU.sparse.'))) throw wrongEntry(name, 'is a sparse file');
  if (attributes.length > mostAttributes) throw wrongEntry(name, `has more than ${mostAttributes} attributes`);
  if (/^[/\\]|^[A-Za-z]:/.test(name)) throw wrongEntry(name, 'has an absolute path');
  if (name.split(/[/\\]/).includes('..')) throw wrongEntry(name, 'has a path that leaves its folder');
  if (size > limits.commandBytes) throw overLimit(limits, 'commandBytes', size);
  return kind === 'directory';
}

const kinds: Readonly<Record<string, string>> = {
  link: 'a link',
  symlink: 'a symbolic link',
  'character-device': 'a device',
  'block-device': 'a device',
  fifo: 'a named pipe',
};
