import type { Session } from '#database';
import type { StepWatch } from './batch-steps';

/**
 * Collects the changes that a batch makes to some of the tables, and writes them. After all documents are added, the
 * batch calls each method once, in this order, for all parts in the order of `batch-parts.ts`. A method reports its
 * steps to `onStep` when they end.
 */
export interface BatchPart {
  prepare?(names: NameKeys, onStep: StepWatch): void;
  /** Writes the rows that nodes share. They may be committed before the other rows. */
  writeShared?(session: Session, schema: string, onStep: StepWatch): Promise<void>;
  /** Called when the shared rows are committed. Adds their keys to the cache. */
  committed?(): void;
  writeRows?(session: Session, schema: string, onStep: StepWatch): Promise<void>;
}

/** Returns the keys of names that many rows share. The batch writes these names. The key of null is null. */
export interface NameKeys {
  environment(name: string | null): string | null;
  producer(name: string | null): string | null;
}
