/** The sections and pieces that a batch stores with its records, in the epoch of the partitions. */
export interface StoredSections {
  readonly epoch: number;
  /** Hashes, one after the other, of the sections that must be in the table already. */
  readonly assumedSections: Buffer;
  readonly assumedPieces: Buffer;
  readonly sections: readonly { readonly hash: Buffer; readonly pieces: Buffer }[];
  readonly pieces: readonly { readonly hash: Buffer; readonly content: Buffer }[];
}
