import type { Limits } from '#limits';
import { inflated } from './inflated';
import { tarEntries, type TarEntry } from './tar-entries';

/** The entries of a tar.gz file as it arrives. Faults: those of both steps. */
export const archiveEntries = (
  pieces: AsyncIterable<Buffer>,
  limits: Limits,
): AsyncGenerator<TarEntry, void, undefined> => tarEntries(inflated(pieces, limits), limits);
