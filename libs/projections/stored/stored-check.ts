import type { StoredNode } from './stored-node';

/** The payload is not compressed. */
export interface GivenDocument {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly payload: Buffer;
  /** `producer_timestamp` in milliseconds since 1970. Undefined if the document has no valid time. */
  readonly producedAt: number | undefined;
}

export interface StoredCheck<D> {
  /** Returns false if the node certainly does not have the document. Must be fast, and does not read the payload. */
  mayBe(given: GivenDocument, node: StoredNode): boolean;
  is(document: D, node: StoredNode, given: GivenDocument): boolean;
}

/** Larger documents are appended again, because a comparison would delay other requests for too long. */
const mostComparedBytes = 4_000_000;

export const isComparable = (given: GivenDocument): given is GivenDocument & { readonly producedAt: number } =>
  given.producedAt !== undefined && given.payload.length <= mostComparedBytes;

export const isOfTime = (given: GivenDocument, time: string | null): boolean =>
  isComparable(given) && time !== null && Date.parse(time) === given.producedAt;
