import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { inBatches, type PayloadEncoding } from '#log';
import type { Limits } from '#limits';
import type { GivenDocument } from '#projections';
import { lifecycleCommands } from '#wire';
import { type ArchivedCommand, archivedCommands } from '../read/archived-commands';
import type { ReadHead } from '../read/document-head';
import { AppendWindow } from './append-window';

const compress = promisify(gzip);

export interface ImportedCommand {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly encoding: PayloadEncoding;
  readonly payload: Buffer;
}

export interface ImportPorts {
  readonly append: (command: ImportedCommand) => Promise<unknown>;
  /** Returns the documents that the read tables do not contain in exactly this form. */
  readonly missing: <D extends GivenDocument>(documents: readonly D[]) => Promise<D[]>;
  readonly readHead?: ReadHead;
}

export interface Imported {
  readonly documents: number;
  readonly known: number;
  readonly passedOver: number;
}

const batchLimits = { records: 200, bytes: 8_000_000 };
const leastCompressed = 512;

/**
 * Imports the bytes of a tar.gz file. Resolves when every document is durable in the log. Throws the faults of the
 * archive and of the log. Documents that were appended before a fault stay stored, and a repeated import skips them.
 */
export async function importArchive(
  pieces: AsyncIterable<Buffer>,
  limits: Limits,
  { append, missing, readHead }: ImportPorts,
): Promise<Imported> {
  const passed = { entries: 0 };
  const window = new AppendWindow();
  let documents = 0;
  let known = 0;
  try {
    for await (const batch of inBatches(
      archivedCommands(pieces, limits, passed, readHead),
      batchLimits,
      ({ payload }) => payload.length,
    )) {
      const wanted = await missing(batch);
      documents += batch.length;
      known += batch.length - wanted.length;
      for (const one of wanted) {
        const command = await packed(one);
        // In the log, the state of a node must come after the other documents of the node, because they change the
        // state.
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

/** Compresses the payload, unless it is small. The log stores the compressed bytes unchanged. */
async function packed({ command, version, certname, payload }: ArchivedCommand): Promise<ImportedCommand> {
  const about = { command, version, certname };
  if (payload.length < leastCompressed) return { ...about, encoding: 'identity', payload };
  return { ...about, encoding: 'gzip', payload: await compress(payload) };
}
