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
  /** Returns false only if the node cannot have the document. Must be fast, and does not read the payload. */
  mayBe(given: GivenDocument, node: StoredNode): boolean;
  is(document: D, node: StoredNode, given: GivenDocument): boolean;
}

export const isOfTime = ({ producedAt }: GivenDocument, time: string | null): boolean =>
  time !== null && Date.parse(time) === producedAt;
