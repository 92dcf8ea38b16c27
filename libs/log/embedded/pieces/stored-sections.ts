/** What a batch stores beside its records, in the epoch of the partitions. */
export interface StoredSections {
  readonly epoch: number;
  /** Hashes of what must be stored already, one after the other. */
  readonly assumedSections: Buffer;
  readonly assumedPieces: Buffer;
  readonly sections: readonly { readonly hash: Buffer; readonly pieces: Buffer }[];
  readonly pieces: readonly { readonly hash: Buffer; readonly content: Buffer }[];
}
