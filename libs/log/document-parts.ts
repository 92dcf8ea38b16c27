/** A divided document refers to its large sections. The log stores each section only once. */

export interface Section {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /**
   * A number that `FindSections` returns for the section. The log stores this number and returns it with the section.
   */
  readonly weight: number;
  /** ASCII text after which a piece of the section can end. */
  readonly boundary: string;
}

export type KnownEnd = (name: string, start: number) => Pick<Section, 'end' | 'weight'> | undefined;

/**
 * Returns the large sections of a document, in order and without overlaps. Searches for the end of a section only if
 * `knownEnd` returns undefined.
 */
export type FindSections = (command: string, document: Buffer, knownEnd: KnownEnd) => readonly Section[];

export interface LeftOutSection {
  /** Offset in the document without its sections. */
  readonly at: number;
  readonly length: number;
  readonly weight: number;
  readonly sha256: Buffer;
}

export interface DividedDocument {
  readonly sections: readonly LeftOutSection[];
  readonly length: number;
  /** The document without the sections, compressed with gzip. */
  readonly compressedRest: Buffer;
  /**
   * Returns the pieces of the section in order, each compressed with raw deflate. Throws `log.foreign` if a piece is
   * damaged.
   */
  pieces(section: LeftOutSection): Promise<readonly Buffer[]>;
}

export interface RecordParts extends DividedDocument {
  /** Returns the document without the sections. Throws `log.foreign` if it is damaged. */
  rest(): Promise<Buffer>;
  /** Throws `log.foreign` if a piece is missing or damaged. */
  sectionBytes(): Promise<readonly Buffer[]>;
  /** Throws `log.foreign` if a stored part is damaged. */
  whole(): Promise<Buffer>;
}
