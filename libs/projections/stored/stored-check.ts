import type { StoredNode } from './stored-node';

/** A command whose payload is not compressed. */
export interface GivenDocument {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly payload: Buffer;
  /** Epoch milliseconds of its `producer_timestamp`; undefined where it has none that can be read. */
  readonly producedAt: number | undefined;
}

/** How to find out whether a node that is stored has a document already, exactly as it is given. */
export interface StoredCheck<D> {
  /** Without reading the document. */
  mayBe(given: GivenDocument, node: StoredNode): boolean;
  is(document: D, node: StoredNode, given: GivenDocument): boolean;
}

/** Larger documents are not compared but appended again: comparing one would delay other requests for longer. */
const mostComparedBytes = 4_000_000;

/** Whether a document may be compared with a stored one of the same time. */
export const isComparable = (given: GivenDocument): given is GivenDocument & { readonly producedAt: number } =>
  given.producedAt !== undefined && given.payload.length <= mostComparedBytes;

/** Returns whether the given document may be compared with the stored one. `time` is the time of the stored document, or null if there is none. */
export const isOfTime = (given: GivenDocument, time: string | null): boolean =>
  isComparable(given) && time !== null && Date.parse(time) === given.producedAt;
