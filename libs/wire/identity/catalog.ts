import type { JsonText } from '../documents';
import { encodeString } from '../json/strings';
import { sha1 } from './sha1';

/**
 * What tells the resources of a catalog apart: title and type, joined by U+0000, which neither holds. The keys of an
 * edge's ends and its relationship, joined alike, tell edges apart. Sorted by UTF-16 unit, as `sort()` does, keys stand
 * in the order of the canonical text.
 */
export const resourceKey = (type: string, title: string): string => `${title}\0${type}`;

/** A resource of a catalog, ready for the catalog's identity. */
export interface IdentifiedResource {
  readonly key: string;
  readonly type: string;
  readonly title: string;
  /** `{"title":…,"type":…}`, as edges name it. */
  readonly reference: JsonText;
  /** All of it that counts. */
  readonly canonical: JsonText;
}

/** The canonical text of an edge. */
export const canonicalEdge = (source: IdentifiedResource, target: IdentifiedResource, relationship: string): JsonText =>
  `{"relationship":"${relationship}","source":${source.reference},"target":${target.reference}}`;

/** The identity of a catalog: its certname, resources and edges. `edges` are the distinct texts in the order of their keys. */
export function catalogHash(
  certname: string,
  resources: ReadonlyMap<string, IdentifiedResource>,
  edges: readonly JsonText[],
): string {
  const texts = [...resources.keys()].sort().map((key) => resources.get(key)!.canonical);
  return sha1(`{"certname":${encodeString(certname)},"edges":[${edges.join()}],"resources":[${texts.join()}]}`);
}
