/**
 * The import: an archive in, one command of the log for each of its documents that is not stored yet. Everything streams:
 * the archive is read as far as the log has taken what came before.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PayloadEncoding } from '#log';
import type { Limits } from '#limits';
import type { GivenDocument } from '#projections';
import { lifecycleCommands } from '#wire';
import { type ArchivedCommand, archivedCommands } from '../read/archived-commands';
import { AppendWindow } from './append-window';

const compress = promisify(gzip);

/** A document as it goes to the log. */
export interface ImportedCommand {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly encoding: PayloadEncoding;
  readonly payload: Buffer;
}

export interface ImportPorts {
  /** Resolves when the command is durable. */
  readonly append: (command: ImportedCommand) => Promise<unknown>;
  /** Gives those that the tables do not hold exactly so. */
  readonly missing: <D extends GivenDocument>(documents: readonly D[]) => Promise<D[]>;
}

/** What became of an archive. */
export interface Imported {
  /** Documents that the archive has. */
  readonly documents: number;
  /** Those of them that were stored already, and not appended again. */
  readonly known: number;
  /** Entries that hold no document, and were passed over. */
  readonly passedOver: number;
}

/** What is looked up at once. */
const batchDocuments = 200;
const batchBytes = 8_000_000;
/** Smaller payloads gain little. */
const leastCompressed = 512;

/**
 * `pieces`: of the tar.gz file. Resolves when every document is durable in the log. Faults: those of reading the archive
 * and of the log. What was read before a fault stays stored; a repeat passes over it.
 */
export async function importArchive(
  pieces: AsyncIterable<Buffer>,
  limits: Limits,
  { append, missing }: ImportPorts,
): Promise<Imported> {
  const passed = { entries: 0 };
  const window = new AppendWindow();
  let documents = 0;
  let known = 0;
  try {
    for await (const batch of inBatches(archivedCommands(pieces, limits, passed))) {
      const wanted = await missing(batch);
      documents += batch.length;
      known += batch.length - wanted.length;
      for (const one of wanted) {
        const command = await packed(one);
        // It counts whatever the documents before it made of the node, so they have to be before it in the log.
        if (command.command === lifecycleCommands.restoreNode.command) await window.settled();
        await window.add(command.payload.length, () => append(command));
      }
    }
    await window.settled();
  } finally {
    await window.ended();
  }
  return { documents, known, passedOver: passed.entries };
}

/** The log keeps payloads as they are given. */
async function packed({ command, version, certname, payload }: ArchivedCommand): Promise<ImportedCommand> {
  const about = { command, version, certname };
  if (payload.length < leastCompressed) return { ...about, encoding: 'identity', payload };
  return { ...about, encoding: 'gzip', payload: await compress(payload) };
}

/** A batch is given when it is full, so what came before a fault of the source is given too. */
async function* inBatches(
  commands: AsyncIterable<ArchivedCommand>,
): AsyncGenerator<readonly ArchivedCommand[], void, undefined> {
  let batch: ArchivedCommand[] = [];
  let bytes = 0;
  try {
    for await (const command of commands) {
      batch.push(command);
      bytes += command.payload.length;
      if (batch.length < batchDocuments && bytes < batchBytes) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}
