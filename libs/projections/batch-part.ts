import type { Session } from '#database';
import type { StepWatch } from './batch-steps';

/**
 * The changes of a batch to some of the tables. When all documents are added, the methods are called once each, in this order. Each
 * method is called for all parts, in the order of `batch-parts.ts`, and reports its steps when they end.
 */
export interface BatchPart {
  /** Creates the rows. */
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
