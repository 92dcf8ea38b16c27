/**
 * Rejected commands as files, for people and tools that look into folders: `<folder>/<command>/<name>.payload[.gz]` with
 * the bytes as they came, and `<name>.json` beside it with the rest. Made from the table, which alone counts: a file
 * that is missing is written again, one whose letter was applied or purged is removed.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '#database';
import { DeadLetterStore, type LetterSummary, type WaitingLetter } from './dead-letter-store';
import { letterName, lettersChannel } from './letter-name';

interface DiscardedFilesOptions {
  readonly db: Database;
  /** Made when the first letter is there. Every file in it with a letter's name is ours. */
  readonly folder: string;
  /** Told when files could not be brought up to date; it is tried again within a minute. */
  readonly onFailure: (error: unknown) => void;
  /** Told each time when all files are as they are to be. */
  readonly onSuccess?: () => void;
}

/** Notifications are lost while a connection is opened again. */
const lookEveryMs = 60_000;
/** A burst of rejections is one look. */
const settleMs = 100;
const ownFile = /^((?:0|[1-9]\d*)-(?:0|[1-9]\d*))\.(?:json|payload|payload\.gz)(?:\.\d+\.part)?$/;

export class DiscardedFiles {
  private readonly office: DeadLetterStore;
  /** Letters whose files this process has seen right, and at which attempt. */
  private readonly right = new Map<string, number>();
  private unlisten: (() => Promise<void>) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private syncing: Promise<void> | undefined;
  private again = false;
  private closed = false;

  constructor(private readonly options: DiscardedFilesOptions) {
    this.office = new DeadLetterStore(options.db);
  }

  /** Brings the files up to date, in the background, and keeps them so. */
  async open(): Promise<void> {
    this.unlisten = await this.options.db.listen(lettersChannel, () => this.look());
    this.look(0);
  }

  /** Finishes the current file. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.unlisten?.();
    await this.syncing;
  }

  private look(inMs = settleMs): void {
    if (this.closed) return;
    if (this.syncing !== undefined) {
      this.again = true;
      return;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.syncing = this.sync()
        .then(() => this.options.onSuccess?.())
        .catch((error: unknown) => {
          if (!this.closed) this.options.onFailure(error);
        })
        .finally(() => {
          this.syncing = undefined;
          this.look(this.again ? settleMs : lookEveryMs);
        });
    }, inMs);
    this.timer.unref();
  }

  /** One look: files of letters that wait are written, others removed. */
  private async sync(): Promise<void> {
    this.again = false;
    const letters = await this.office.waiting();
    await this.removeOthers(new Set(letters.map(letterName)));
    for (const letter of letters) {
      if (this.closed) return;
      if (this.right.get(letterName(letter)) !== letter.attempts) await this.write(letter);
    }
  }

  private async write(letter: WaitingLetter): Promise<void> {
    const summary = await this.office.find(letter);
    if (summary?.state !== 'waiting') return;
    const folder = join(this.options.folder, folderOf(summary.command));
    const header = `${JSON.stringify(headerOf(summary), null, 2)}\n`;
    const headerFile = join(folder, `${summary.name}.json`);
    const payloadFile = join(folder, `${summary.name}.payload${summary.encoding === 'gzip' ? '.gz' : ''}`);
    if ((await textOf(headerFile)) !== header || (await sizeOf(payloadFile)) !== summary.payloadBytes) {
      const found = await this.office.payload(letter);
      if (found === undefined) return;
      // Commands hold what machines are configured with: for the service's own user only.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // The header last: where it is, the payload is whole.
      await replaceFile(payloadFile, found.pieces);
      await replaceFile(headerFile, header);
    }
    this.right.set(summary.name, summary.attempts);
  }

  private async removeOthers(waiting: ReadonlySet<string>): Promise<void> {
    for (const name of this.right.keys()) if (!waiting.has(name)) this.right.delete(name);
    for (const folder of await entries(this.options.folder)) {
      const names = await entries(join(this.options.folder, folder));
      for (const file of names.sort()) {
        const name = ownFile.exec(file)?.[1];
        if (name !== undefined && !waiting.has(name))
          await rm(join(this.options.folder, folder, file), { force: true });
      }
    }
  }
}

const folderOf = (command: string): string => command.replaceAll(/[^a-z0-9]/g, '_');

/** What stands beside the payload; how it is spelled is documented. */
const headerOf = (letter: LetterSummary): object => ({
  name: letter.name,
  uuid: letter.uuid,
  command: letter.command,
  version: letter.version,
  certname: letter.certname,
  received_at: letter.receivedAt,
  rejected_at: letter.rejectedAt,
  last_rejected_at: letter.lastRejectedAt,
  attempts: letter.attempts,
  error: letter.error,
  exception: letter.exception,
  encoding: letter.encoding,
  headers: letter.headers,
});

const notThere = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

async function orNothing<T, N>(work: Promise<T>, nothing: N): Promise<T | N> {
  try {
    return await work;
  } catch (error) {
    if (notThere(error)) return nothing;
    throw error;
  }
}

const entries = (folder: string): Promise<string[]> => orNothing(readdir(folder), []);
const textOf = (file: string): Promise<string | undefined> => orNothing(readFile(file, 'utf8'), undefined);
const sizeOf = async (file: string): Promise<number | undefined> => (await orNothing(stat(file), undefined))?.size;

/** Whole or not at all, for whoever looks meanwhile. */
async function replaceFile(file: string, content: AsyncIterable<Buffer> | string): Promise<void> {
  const beside = `${file}.${process.pid}.part`;
  await writeFile(beside, content, { mode: 0o600 });
  await rename(beside, file);
}
