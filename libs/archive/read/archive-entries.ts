import type { Limits } from '#limits';
import { inflated } from './inflated';
import { tarEntries, type TarEntry } from './tar-entries';

/** Returns the entries of a tar.gz file as it arrives. Faults: those of inflating and of reading entries. */
export const archiveEntries = (
  pieces: AsyncIterable<Buffer>,
  limits: Limits,
): AsyncGenerator<TarEntry, void, undefined> => tarEntries(inflated(pieces, limits), limits);
