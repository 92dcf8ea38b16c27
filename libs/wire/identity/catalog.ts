import type { JsonText, WireEdge } from '../documents';
import { encodeString } from '../json/strings';
import { sha1 } from './sha1';

/**
 * Joins title and type by U+0000, because neither of them contains this character. `sort()` puts these keys, and the
 * keys of edges, into the order of the canonical text.
 */
export const resourceKey = (type: string, title: string): string => `${title}\0${type}`;

export interface ResourceReference {
  readonly key: string;
  readonly type: string;
  readonly title: string;
  readonly reference: JsonText;
}

export const resourceReference = (type: string, title: string): ResourceReference => ({
  key: resourceKey(type, title),
  type,
  title,
  reference: `{"title":${encodeString(title)},"type":${encodeString(type)}}`,
});

export interface IdentifiedEdge {
  readonly key: string;
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
  // The cache keeps this text. `join` makes one flat string, which takes less memory than the tree of parts that `+`
  // makes.
  canonical: [
    `{"relationship":"${relationship}","source":`,
    ...[source.reference, ',"target":', target.reference, '}'],
  ].join(''),
});

/**
 * `resources` and `edges` contain canonical texts without duplicates, sorted by the keys of the resources and of the
 * edges.
 */
export const catalogHash = (certname: string, resources: readonly JsonText[], edges: readonly JsonText[]): string =>
  sha1(`{"certname":${encodeString(certname)},"edges":[${edges.join()}],"resources":[${resources.join()}]}`);
