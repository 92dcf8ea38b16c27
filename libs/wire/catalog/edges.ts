import type { JsonText, WireEdge } from '../documents';
import { eachElement } from '../check/elements';
import { Members } from '../check/members';
import { quoted, type Problems } from '../check/problems';
import { shape } from '../check/shape';
import { type IdentifiedEdge, identifyEdge, resourceKey, type ResourceReference } from '../identity/catalog';
import { JsonScan } from '../json/scan';
import { ElementCache } from './element-cache';

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

const cache = new ElementCache<IdentifiedEdge | undefined>(16 << 20);

interface CheckedEdges {
  readonly edges: WireEdge[];
  readonly canonical: JsonText[];
  readonly end: number;
}

/**
 * Returns distinct edges in the order in which they are stored. `resources` maps the key of each resource of the
 * catalog to its reference.
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
  const readEnd = (name: 'source' | 'target'): ResourceReference | undefined => {
    if (!edge.has(name)) return undefined;
    ends.base = () => edge.path(name);
    ends.open(edge.start(name));
    const type = ends.text('type');
    const title = ends.text('title');
    const found = resources.get(resourceKey(type, title));
    if (found === undefined && ends.has('type') && ends.has('title'))
      problems.add(ends.path(), 'a resource of this catalog', quoted(`${type}[${title}]`));
    return found;
  };
  const readEdge = (text: string): IdentifiedEdge | undefined => {
    edge.scan = ends.scan = new JsonScan(text, scan.limits);
    edge.open(0);
    const source = readEnd('source');
    const target = readEnd('target');
    const relationship = edge.text('relationship');
    if (edge.kind('relationship') === 'string' && !relationships.has(relationship))
      edge.wrong('relationship', [...relationships].join(', '), quoted(relationship));
    return source && target && identifyEdge(source, target, relationship);
  };
  const read = cache.reader(scan, problems, readEdge);
  const found = new Map<string, IdentifiedEdge>();
  const end = eachElement(
    scan,
    start,
    (pos, index) => {
      edge.index = index;
      const { value, end } = read(pos);
      if (value === undefined) return end;
      // The cache may have got this edge from another catalog. So if a resource is missing in this catalog, the edge is
      // read again, to create the error message.
      if (resources.has(value.source) && resources.has(value.target)) found.set(value.key, value);
      else readEdge(scan.text.slice(pos, end));
      return end;
    },
    'edges',
  );
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
