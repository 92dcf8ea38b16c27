/** A document whose large sections the log stores once: its other bytes, and references to the sections. */

/** A range of a document's bytes that often comes again in other documents. */
export interface Section {
  /** Names the section within its document. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** A number from the function that found the section. Readers get it with the section. */
  readonly weight: number;
  /** ASCII text after which the section may be cut into pieces. */
  readonly boundary: string;
}

/** Returns the end and the weight of a section that begins at `start`, or undefined if they are not known. */
export type KnownEnd = (name: string, start: number) => Pick<Section, 'end' | 'weight'> | undefined;

/**
 * Returns the large sections of a document, in order and without overlaps. Any ranges are correct; useful ranges occur again in
 * later documents. Searches for the end of a section only if `knownEnd` does not know it.
 */
export type FindSections = (command: string, document: Buffer, knownEnd: KnownEnd) => readonly Section[];

/** A section that is left out of a document. */
export interface LeftOutSection {
  /** Offset in the rest of the document at which the section belongs. */
  readonly at: number;
  readonly length: number;
  readonly weight: number;
  readonly sha256: Buffer;
}

/** The stored parts of a record. */
export interface RecordParts {
  /** In order. */
  readonly sections: readonly LeftOutSection[];
  /** Bytes of the whole document. */
  readonly length: number;
  /** Returns the document without the sections. Fault `log.foreign` (broken) if it is damaged. */
  rest(): Promise<Buffer>;
  /** Returns the whole document. Fault `log.foreign` (broken) if a part is damaged. */
  whole(): Promise<Buffer>;
}
