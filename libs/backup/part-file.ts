import { createHash } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileMode, unfinished } from './files';
import type { BackupFile } from './manifest';

const writtenAtOnce = 8 << 20;

/**
 * A file that is written in large pieces, and gets its final name when it is complete. The file is open only during a
 * write, because many files can be incomplete at once.
 */
export class PartFile {
  bytes = 0;
  private readonly part: string;
  private readonly hash = createHash('sha256');
  private waiting: Buffer[] = [];
  private written = 0;

  constructor(
    private readonly dir: string,
    /** Existing folder below `dir`. */
    private readonly folder: string,
    name: string,
  ) {
    this.part = join(dir, folder, `${name}${unfinished}`);
  }

  add(bytes: Buffer): void {
    this.waiting.push(bytes);
    this.bytes += bytes.length;
  }

  /** Writes the added bytes to the file if they are many. */
  async writeMany(): Promise<void> {
    if (this.bytes - this.written >= writtenAtOnce) await this.write();
  }

  async write(): Promise<void> {
    if (this.waiting.length === 0) return;
    const bytes = Buffer.concat(this.waiting);
    const file = await open(this.part, this.written === 0 ? 'w' : 'a', fileMode);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    this.hash.update(bytes);
    this.waiting = [];
    this.written += bytes.length;
  }

  /** Makes the file durable and gives it its final name. */
  async end(name: string): Promise<BackupFile> {
    await this.write();
    const handle = await open(this.part, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    const file = `${this.folder}/${name}.log`;
    await rename(this.part, join(this.dir, file));
    return { file, bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}
