import type { Session } from '#database';
import type { StepWatch } from './batch-steps';

/**
 * After all documents are added, the batch calls the methods in the order of this interface. It calls each method of
 * all parts (in the order of `batch-parts.ts`) before it calls the next method.
 */
export interface BatchPart {
  prepare?(names: NameKeys, onStep: StepWatch): void;
  /** Writes the rows that nodes share. These rows can be committed before the other rows. */
  writeShared?(session: Session, schema: string, onStep: StepWatch): Promise<void>;
  committed?(): void;
  writeRows?(session: Session, schema: string, onStep: StepWatch): Promise<void>;
}

/** Returns the key of a name that many rows share, or null if the name is null. The batch also writes the name. */
export interface NameKeys {
  environment(name: string | null): string | null;
  producer(name: string | null): string | null;
}
