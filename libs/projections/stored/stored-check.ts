import type { StoredNode } from './stored-node';

/** A command whose payload is not compressed. */
export interface GivenDocument {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly payload: Buffer;
  /** Time in `producer_timestamp`, in milliseconds since 1970; undefined if the document has no valid time. */
  readonly producedAt: number | undefined;
}

/** Checks whether a stored node already has the given document. */
export interface StoredCheck<D> {
  /** Returns false if the node certainly does not have the document. Does not read the document. */
  mayBe(given: GivenDocument, node: StoredNode): boolean;
  is(document: D, node: StoredNode, given: GivenDocument): boolean;
}

/**
 * Limit on the bytes of a document that is compared. Larger documents are appended again, because a comparison would
 * delay other requests for too long.
 */
const mostComparedBytes = 4_000_000;

/** Returns whether the document can be compared: it is small enough and has a valid time. */
export const isComparable = (given: GivenDocument): given is GivenDocument & { readonly producedAt: number } =>
  given.producedAt !== undefined && given.payload.length <= mostComparedBytes;

/**
 * Returns whether the document can be compared and has the time of the stored document. `time` is null if no document
 * is stored.
 */
export const isOfTime = (given: GivenDocument, time: string | null): boolean =>
  isComparable(given) && time !== null && Date.parse(time) === given.producedAt;
