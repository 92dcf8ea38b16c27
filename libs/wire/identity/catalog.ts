import type { JsonText, WireEdge } from '../documents';
import { encodeString } from '../json/strings';
import { sha1 } from './sha1';

/**
 * What tells the resources of a catalog apart: title and type, joined by U+0000, which neither holds. The keys of an
 * edge's ends and its relationship, joined alike, tell edges apart. Sorted by UTF-16 unit, as `sort()` does, keys stand
 * in the order of the canonical text.
 */
export const resourceKey = (type: string, title: string): string => `${title}\0${type}`;

/** What tells a resource apart, as the catalog's identity has it. */
export interface ResourceReference {
  readonly key: string;
  readonly type: string;
  readonly title: string;
  /** `{"title":…,"type":…}`, as edges name it. */
  readonly reference: JsonText;
}

export const resourceReference = (type: string, title: string): ResourceReference => ({
  key: resourceKey(type, title),
  type,
  title,
  reference: `{"title":${encodeString(title)},"type":${encodeString(type)}}`,
});

/** An edge between two resources, ready for the catalog's identity. */
export interface IdentifiedEdge {
  readonly edge: WireEdge;
  readonly canonical: JsonText;
}

export const edgeKey = (source: ResourceReference, target: ResourceReference, relationship: string): string =>
  `${source.key}\0${target.key}\0${relationship}`;

export const identifyEdge = (
  source: ResourceReference,
  target: ResourceReference,
  relationship: string,
): IdentifiedEdge => ({
  edge: {
    sourceType: source.type,
    sourceTitle: source.title,
    targetType: target.type,
    targetTitle: target.title,
    relationship,
  },
  canonical: `{"relationship":"${relationship}","source":${source.reference},"target":${target.reference}}`,
});

/** Catalogs are put together here; a larger one gets memory of its own. */
let buffer = Buffer.allocUnsafeSlow(0);
const largestBuffer = 4 << 20;

/**
 * The identity of a catalog: its certname, resources and edges. `resources` and `edges` are the bytes of their distinct
 * canonical texts in the order of their keys.
 */
export function catalogHash(certname: string, resources: readonly Uint8Array[], edges: readonly Uint8Array[]): string {
  const head = Buffer.from(`{"certname":${encodeString(certname)},"edges":[`);
  const length = head.length + joinedLength(edges) + middle.length + joinedLength(resources) + tail.length;
  const text = length <= buffer.length ? buffer : Buffer.allocUnsafeSlow(Math.max(length, 1 << 20));
  if (text.length <= largestBuffer) buffer = text;
  text.set(head);
  let at = join(edges, text, head.length);
  text.set(middle, at);
  at = join(resources, text, at + middle.length);
  text.set(tail, at);
  return sha1(text.subarray(0, length));
}

const middle = Buffer.from('],"resources":[');
const tail = Buffer.from(']}');
const comma = 0x2c;

function joinedLength(parts: readonly Uint8Array[]): number {
  let length = Math.max(0, parts.length - 1);
  for (const part of parts) length += part.length;
  return length;
}

/** Puts the parts at an offset, with commas between them; gives the offset behind them. */
function join(parts: readonly Uint8Array[], into: Buffer, at: number): number {
  for (let place = 0; place < parts.length; place++) {
    if (place > 0) into[at++] = comma;
    const part = parts[place] as Uint8Array;
    into.set(part, at);
    at += part.length;
  }
  return at;
}
