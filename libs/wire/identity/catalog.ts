import type { JsonText, WireEdge } from '../documents';
import { encodeString } from '../json/strings';
import { sha1 } from './sha1';

/**
 * Returns the key of a resource within a catalog: title and type, joined by U+0000, because neither of them contains
 * this character. The key of an edge joins the keys of both ends and the relationship. `sort()`, which compares UTF-16
 * units, puts keys into the order of the canonical text.
 */
export const resourceKey = (type: string, title: string): string => `${title}\0${type}`;

export interface ResourceReference {
  readonly key: string;
  readonly type: string;
  readonly title: string;
  /** JSON text `{"title":…,"type":…}`, as an edge contains it. */
  readonly reference: JsonText;
}

export const resourceReference = (type: string, title: string): ResourceReference => ({
  key: resourceKey(type, title),
  type,
  title,
  reference: `{"title":${encodeString(title)},"type":${encodeString(type)}}`,
});

/** An edge between two resources, and its canonical text for the hash of the catalog. */
export interface IdentifiedEdge {
  readonly key: string;
  /** The keys of the resources. */
  readonly source: string;
  readonly target: string;
  readonly edge: WireEdge;
  readonly canonical: JsonText;
}

export const identifyEdge = (
  source: ResourceReference,
  target: ResourceReference,
  relationship: string,
): IdentifiedEdge => ({
  key: `${source.key}\0${target.key}\0${relationship}`,
  source: source.key,
  target: target.key,
  edge: {
    sourceType: source.type,
    sourceTitle: source.title,
    targetType: target.type,
    targetTitle: target.title,
    relationship,
  },
  // Uses `join`, because the result is kept, and one flat string takes less memory than a tree of its parts.
  canonical: [
    `{"relationship":"${relationship}","source":`,
    ...[source.reference, ',"target":', target.reference, '}'],
  ].join(''),
});

/**
 * Returns the hash of a catalog: the SHA-1 of its certname, resources and edges. `resources` and `edges` contain canonical
 * texts without duplicates. The caller has sorted them by the keys of the resources and of the edges.
 */
export const catalogHash = (certname: string, resources: readonly JsonText[], edges: readonly JsonText[]): string =>
  sha1(`{"certname":${encodeString(certname)},"edges":[${edges.join()}],"resources":[${resources.join()}]}`);
