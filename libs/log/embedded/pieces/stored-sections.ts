export interface StoredSections {
  readonly epoch: number;
  /** Concatenated hashes of the sections that the table must contain already. */
  readonly assumedSections: Buffer;
  readonly assumedPieces: Buffer;
  readonly sections: readonly { readonly hash: Buffer; readonly pieces: Buffer }[];
  readonly pieces: readonly { readonly hash: Buffer; readonly content: Buffer }[];
}
