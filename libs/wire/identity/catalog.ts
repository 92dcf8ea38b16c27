import type { WireEdge } from '../documents';
import { byUnits } from '../json/rewrite';
import { encodeString } from '../json/strings';
import { sha1 } from './sha1';

/** A resource's place in the order of the canonical text, and its text there. */
export interface CanonicalResource {
  readonly type: string;
  readonly title: string;
  readonly canonical: string;
}

/** The identity of a catalog: its certname, resources and edges. `edges` are distinct and in the order of `byEdge`. */
export function catalogHash(
  certname: string,
  resources: readonly CanonicalResource[],
  edges: readonly WireEdge[],
): string {
  const texts = resources
    .slice()
    .sort((a, b) => byUnits(a.title, b.title) || byUnits(a.type, b.type))
    .map(({ canonical }) => canonical);
  return sha1(
    `{"certname":${encodeString(certname)},"edges":[${edges.map(canonicalEdge).join(',')}],"resources":[${texts.join(',')}]}`,
  );
}

/** The order of edges in the canonical text. */
export function byEdge(a: WireEdge, b: WireEdge): number {
  return (
    byUnits(a.sourceTitle, b.sourceTitle) ||
    byUnits(a.sourceType, b.sourceType) ||
    byUnits(a.targetTitle, b.targetTitle) ||
    byUnits(a.targetType, b.targetType) ||
    byUnits(a.relationship, b.relationship)
  );
}

function canonicalEdge(edge: WireEdge): string {
  return (
    `{"relationship":"${edge.relationship}","source":{"title":${encodeString(edge.sourceTitle)},"type":${encodeString(edge.sourceType)}},` +
    `"target":{"title":${encodeString(edge.targetTitle)},"type":${encodeString(edge.targetType)}}}`
  );
}
