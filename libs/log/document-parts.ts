/**
 * Types for divided documents. The log stores large sections only once, and stores a document as its other bytes with
 * references to its sections.
 */

/** A range of bytes of a document that often occurs in other documents too. */
export interface Section {
  /** Name that is unique within the document. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** A number that `FindSections` assigns to the section. Readers receive the number with the section. */
  readonly weight: number;
  /** ASCII text after which the section may be divided into pieces. */
  readonly boundary: string;
}

/** Returns the end and the weight of the section that begins at `start`, or undefined if the log does not know this section. */
export type KnownEnd = (name: string, start: number) => Pick<Section, 'end' | 'weight'> | undefined;

/**
 * Returns the large sections of a document, in order and without overlaps. The log stores the document correctly for
 * any choice of sections, but only sections that occur again in later documents save space. Searches for the end of a
 * section only if `knownEnd` returns undefined.
 */
export type FindSections = (command: string, document: Buffer, knownEnd: KnownEnd) => readonly Section[];

/** A section that is stored separately from its document. */
export interface LeftOutSection {
  /** Where the section belongs, as an offset in the document without its sections. */
  readonly at: number;
  readonly length: number;
  readonly weight: number;
  readonly sha256: Buffer;
}

/** A document whose sections are left out, and the pieces of each section. */
export interface DividedDocument {
  /** The sections, in the order of the document. */
  readonly sections: readonly LeftOutSection[];
  readonly length: number;
  /** The document without the sections, compressed (gzip). */
  readonly compressedRest: Buffer;
  /** Returns the pieces of a section, in order, compressed (raw deflate). Throws `log.foreign` if one is damaged. */
  pieces(section: LeftOutSection): Promise<readonly Buffer[]>;
}

/** The stored parts of a record. */
export interface RecordParts extends DividedDocument {
  /** Returns the document without the sections. Throws `log.foreign` if it is damaged. */
  rest(): Promise<Buffer>;
  /** Returns the bytes of the sections, in order. Throws `log.foreign` if a piece is missing or damaged. */
  sectionBytes(): Promise<readonly Buffer[]>;
  /** Returns the whole document. Throws `log.foreign` if a stored part is damaged. */
  whole(): Promise<Buffer>;
}
