import type { JsonText, WireEdge } from '../documents';
import { eachElement } from '../check/elements';
import { Members } from '../check/members';
import { quoted, type Problems } from '../check/problems';
import { shape } from '../check/shape';
import { canonicalEdge, resourceKey, type IdentifiedResource } from '../identity/catalog';
import type { JsonScan } from '../json/scan';

/** Members of an edge that count. */
export const edgeShape = shape(['source', 'target', 'relationship'], [], { open: true });
const end = shape(['type', 'title']);
const relationships: ReadonlySet<string> = new Set([
  'contains',
  'before',
  'required-by',
  'notifies',
  'subscription-of',
]);

interface CheckedEdges {
  readonly edges: WireEdge[];
  /** The canonical text of each, in the same order. */
  readonly canonical: JsonText[];
}

/** The edges of the array at `start`, distinct and sorted by their keys. `resources`: those of the catalog. */
export function readEdges(
  scan: JsonScan,
  start: number,
  resources: ReadonlyMap<string, IdentifiedResource>,
  problems: Problems,
): CheckedEdges {
  const members = new Members(scan, edgeShape, problems, 2);
  members.base = 'edges';
  const readEnd = (name: 'source' | 'target'): (() => IdentifiedResource | undefined) => {
    const ends = new Members(scan, end, problems, 3);
    ends.base = () => members.path(name);
    return () => {
      if (!members.has(name)) return undefined;
      ends.open(members.start(name));
      const type = ends.text('type');
      const title = ends.text('title');
      const resource = resources.get(resourceKey(type, title));
      if (resource === undefined && ends.has('type') && ends.has('title'))
        problems.add(ends.path(), 'a resource of this catalog', quoted(`${type}[${title}]`));
      return resource;
    };
  };
  const readSource = readEnd('source');
  const readTarget = readEnd('target');
  const found = new Map<string, { edge: WireEdge; canonical: JsonText }>();
  const readNext = (pos: number, index: number): number => {
    members.index = index;
    const after = members.open(pos);
    const source = readSource();
    const target = readTarget();
    const relationship = members.text('relationship');
    if (members.kind('relationship') === 'string' && !relationships.has(relationship))
      members.wrong('relationship', [...relationships].join(', '), quoted(relationship));
    if (source !== undefined && target !== undefined) {
      found.set(`${source.key}\0${target.key}\0${relationship}`, {
        edge: {
          sourceType: source.type,
          sourceTitle: source.title,
          targetType: target.type,
          targetTitle: target.title,
          relationship,
        },
        canonical: canonicalEdge(source, target, relationship),
      });
    }
    return after;
  };
  eachElement(scan, start, readNext, 'edges');
  const sorted = [...found.keys()].sort().map((key) => found.get(key)!);
  return { edges: sorted.map((one) => one.edge), canonical: sorted.map((one) => one.canonical) };
}
