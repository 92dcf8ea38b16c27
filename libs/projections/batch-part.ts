import type { Session } from '#database';
import type { StepWatch } from './batch-steps';

/**
 * Changes of a batch to some of the tables. When all documents are added, each method is called once, in this order, for
 * all parts in the order of `batch-parts.ts`. It reports its steps when they end.
 */
export interface BatchPart {
  /** Makes the rows. */
  prepare?(names: NameKeys, onStep: StepWatch): void;
  /** Writes the rows that nodes share. They may be committed before all others. */
  writeShared?(session: Session, schema: string, onStep: StepWatch): Promise<void>;
  /** The shared rows are committed, and the cache has their keys. */
  committed?(): void;
  /** Writes all other rows. */
  writeRows?(session: Session, schema: string, onStep: StepWatch): Promise<void>;
}

/** Keys of names that many rows share. The rows of the names are written with the batch. Null stays null. */
export interface NameKeys {
  environment(name: string | null): string | null;
  producer(name: string | null): string | null;
}
