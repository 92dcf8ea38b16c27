import type { Session } from '#database';
import type { StepWatch } from './batch-steps';

/**
 * What a batch changes of some of the tables. It takes the documents that concern it; then its methods are called once each, in this
 * order, and for each of them the parts in the order of `batch-parts.ts`. Each method tells its steps when they have ended.
 */
export interface BatchPart {
  /** Makes rows of the documents. */
  prepare?(names: NameKeys, onStep: StepWatch): void;
  /** Writes the rows that nodes share. They may be committed before all others. */
  writeShared?(session: Session, schema: string, onStep: StepWatch): Promise<void>;
  /** The shared rows are committed. From now on, `KnownKeys` has their keys. */
  committed?(): void;
  /** Writes all other rows. */
  writeRows?(session: Session, schema: string, onStep: StepWatch): Promise<void>;
}

/** The keys of names that many rows share. The rows of the names are written with the batch; null stays null. */
export interface NameKeys {
  environment(name: string | null): string | null;
  producer(name: string | null): string | null;
}
