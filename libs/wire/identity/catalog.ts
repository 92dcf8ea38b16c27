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
  readonly key: string;
  readonly edge: WireEdge;
  readonly canonical: JsonText;
}

export const identifyEdge = (
  source: ResourceReference,
  target: ResourceReference,
  relationship: string,
): IdentifiedEdge => ({
  key: `${source.key}\0${target.key}\0${relationship}`,
  edge: {
    sourceType: source.type,
    sourceTitle: source.title,
    targetType: target.type,
    targetTitle: target.title,
    relationship,
  },
  canonical: `{"relationship":"${relationship}","source":${source.reference},"target":${target.reference}}`,
});

/**
 * The identity of a catalog: its certname, resources and edges. `resources` and `edges` are their distinct canonical texts in the
 * order of their keys.
 */
export function catalogHash(certname: string, resources: readonly JsonText[], edges: readonly JsonText[]): string {
  return sha1(`{"certname":${encodeString(certname)},"edges":[${edges.join()}],"resources":[${resources.join()}]}`);
}
