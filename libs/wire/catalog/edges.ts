import type { JsonText, WireEdge } from '../documents';
import { eachObject } from '../check/elements';
import { Members } from '../check/members';
import { quoted, type Problems } from '../check/problems';
import { shape } from '../check/shape';
import { edgeKey, type IdentifiedEdge, identifyEdge, resourceKey, type ResourceReference } from '../identity/catalog';
import type { JsonScan } from '../json/scan';

/** The members of an edge that are stored. Other members are ignored. */
export const edgeShape = shape(['source', 'target', 'relationship'], [], { open: true });
type EdgeMembers = Members<'source' | 'target' | 'relationship'>;
export const edgeEndShape = shape(['type', 'title']);
export const relationships: ReadonlySet<string> = new Set([
  'contains',
  'before',
  'required-by',
  'notifies',
  'subscription-of',
]);

interface CheckedEdges {
  readonly edges: WireEdge[];
  /** The canonical text of each edge, sorted by key. */
  readonly canonical: JsonText[];
  /** The offset after the array. */
  readonly end: number;
}

/**
 * Reads the edges of the array at `start`. Returns distinct edges in the order in which they are stored. `resources`
 * contains the resources of the catalog by key.
 */
export function readEdges(
  scan: JsonScan,
  start: number,
  problems: Problems,
  resources: ReadonlyMap<string, ResourceReference>,
): CheckedEdges {
  const edge: EdgeMembers = new Members(scan, edgeShape, problems, 2);
  edge.base = 'edges';
  const ends = new Members(scan, edgeEndShape, problems, 3);
  const readEnd = (members: EdgeMembers, name: 'source' | 'target'): ResourceReference | undefined => {
    if (!members.has(name)) return undefined;
    ends.base = () => members.path(name);
    ends.open(members.start(name));
    const type = ends.text('type');
    const title = ends.text('title');
    const found = resources.get(resourceKey(type, title));
    if (found === undefined && ends.has('type') && ends.has('title'))
      problems.add(ends.path(), 'a resource of this catalog', quoted(`${type}[${title}]`));
    return found;
  };
  const found = new Map<string, IdentifiedEdge>();
  const readEdge = (members: EdgeMembers): void => {
    const source = readEnd(members, 'source');
    const target = readEnd(members, 'target');
    const relationship = members.text('relationship');
    if (members.kind('relationship') === 'string' && !relationships.has(relationship))
      members.wrong('relationship', [...relationships].join(', '), quoted(relationship));
    if (source !== undefined && target !== undefined)
      found.set(edgeKey(source, target, relationship), identifyEdge(source, target, relationship));
  };
  const end = eachObject(edge, start, readEdge, 'edges');
  const sorted = [...found.keys()].sort().map((key) => found.get(key)!);
  return {
    edges: sorted.map(({ edge }) => edge).sort(asStored),
    canonical: sorted.map(({ canonical }) => canonical),
    end,
  };
}

const storedOrder = ['sourceType', 'sourceTitle', 'targetType', 'targetTitle', 'relationship'] as const;

function asStored(a: WireEdge, b: WireEdge): number {
  for (const field of storedOrder) if (a[field] !== b[field]) return a[field] < b[field] ? -1 : 1;
  return 0;
}
