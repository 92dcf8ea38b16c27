import type { WireEdge } from '../documents';
import { encodeString } from '../json/strings';
import { sha1 } from './sha1';

/**
 * The keys of resources and edges: their parts joined by U+0000, which none of them holds. Sorted by UTF-16 unit, as
 * `sort()` does, keys stand in the order of the canonical text.
 */
export const resourceKey = (type: string, title: string): string => `${title}\0${type}`;
export const edgeKey = (edge: WireEdge): string =>
  `${edge.sourceTitle}\0${edge.sourceType}\0${edge.targetTitle}\0${edge.targetType}\0${edge.relationship}`;

/**
 * The identity of a catalog: its certname, resources and edges. `resources` maps keys to canonical texts; `edges` are
 * distinct and in the order of their keys.
 */
export function catalogHash(
  certname: string,
  resources: ReadonlyMap<string, string>,
  edges: readonly WireEdge[],
): string {
  const texts = [...resources.keys()].sort().map((key) => resources.get(key)!);
  return sha1(
    `{"certname":${encodeString(certname)},"edges":[${edges.map(canonicalEdge).join()}],"resources":[${texts.join()}]}`,
  );
}

function canonicalEdge(edge: WireEdge): string {
  return (
    `{"relationship":"${edge.relationship}","source":{"title":${encodeString(edge.sourceTitle)},"type":${encodeString(edge.sourceType)}},` +
    `"target":{"title":${encodeString(edge.targetTitle)},"type":${encodeString(edge.targetType)}}}`
  );
}
