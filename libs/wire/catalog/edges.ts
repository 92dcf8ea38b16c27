import type { JsonText, WireEdge } from '../documents';
import { eachElement } from '../check/elements';
import { Members } from '../check/members';
import { quoted, type Problems } from '../check/problems';
import { shape } from '../check/shape';
import { edgeKey, type IdentifiedEdge, identifyEdge, resourceKey, type ResourceReference } from '../identity/catalog';
import type { JsonScan } from '../json/scan';

/** Members of an edge that count. */
export const edgeShape = shape(['source', 'target', 'relationship'], [], { open: true });
export const edgeEndShape = shape(['type', 'title']);
export const relationships: ReadonlySet<string> = new Set([
  'contains',
  'before',
  'required-by',
  'notifies',
  'subscription-of',
]);
/** The index of each relationship in sorted order. */
export const relationshipRanks: ReadonlyMap<string, number> = new Map(
  [...relationships].sort().map((relationship, rank) => [relationship, rank]),
);

/** What an edge says: its ends, where they were found. */
interface ReadEdge<T> {
  readonly source: T | undefined;
  readonly target: T | undefined;
  readonly relationship: string;
  /** The offset behind it. */
  readonly end: number;
}

/** Reads single edges, from one text after the other. `find` gives what an end names; undefined is a problem. */
export class EdgeReader<T> {
  readonly members: Members<'source' | 'target' | 'relationship'>;
  private readonly ends: Record<'source' | 'target', Members<'type' | 'title'>>;

  constructor(
    scan: JsonScan,
    private readonly problems: Problems,
    private readonly find: (type: string, title: string) => T | undefined,
  ) {
    const members = new Members(scan, edgeShape, problems, 2);
    members.base = 'edges';
    const endsOf = (name: 'source' | 'target'): Members<'type' | 'title'> => {
      const ends = new Members(scan, edgeEndShape, problems, 3);
      ends.base = () => members.path(name);
      return ends;
    };
    this.members = members;
    this.ends = { source: endsOf('source'), target: endsOf('target') };
  }

  /** From now on edges stand in this text. */
  set scan(scan: JsonScan) {
    this.members.scan = this.ends.source.scan = this.ends.target.scan = scan;
  }

  /** Reads the edge at or after `pos`. */
  read(pos: number): ReadEdge<T> {
    const { members } = this;
    const end = members.open(pos);
    const source = this.readEnd('source');
    const target = this.readEnd('target');
    const relationship = members.text('relationship');
    if (members.kind('relationship') === 'string' && !relationships.has(relationship))
      members.wrong('relationship', [...relationships].join(', '), quoted(relationship));
    return { source, target, relationship, end };
  }

  private readEnd(name: 'source' | 'target'): T | undefined {
    const { members, problems } = this;
    if (!members.has(name)) return undefined;
    const ends = this.ends[name];
    ends.open(members.start(name));
    const type = ends.text('type');
    const title = ends.text('title');
    const found = this.find(type, title);
    if (found === undefined && ends.has('type') && ends.has('title'))
      problems.add(ends.path(), 'a resource of this catalog', quoted(`${type}[${title}]`));
    return found;
  }
}

interface CheckedEdges {
  readonly edges: WireEdge[];
  /** The canonical text of each, in the order of their keys. */
  readonly canonical: JsonText[];
}

/** The edges of the array at `start`, distinct and as they are stored. `resources`: those of the catalog, by key. */
export function readEdges(
  scan: JsonScan,
  start: number,
  resources: ReadonlyMap<string, ResourceReference>,
  problems: Problems,
): CheckedEdges {
  const reader = new EdgeReader(scan, problems, (type, title) => resources.get(resourceKey(type, title)));
  const found = new Map<string, IdentifiedEdge>();
  const readNext = (pos: number, index: number): number => {
    reader.members.index = index;
    const { source, target, relationship, end } = reader.read(pos);
    if (source !== undefined && target !== undefined)
      found.set(edgeKey(source, target, relationship), identifyEdge(source, target, relationship));
    return end;
  };
  eachElement(scan, start, readNext, 'edges');
  const sorted = [...found.keys()].sort().map((key) => found.get(key)!);
  return { edges: sorted.map(({ edge }) => edge).sort(asStored), canonical: sorted.map(({ canonical }) => canonical) };
}

const storedOrder = ['sourceType', 'sourceTitle', 'targetType', 'targetTitle', 'relationship'] as const;

function asStored(a: WireEdge, b: WireEdge): number {
  for (const field of storedOrder) if (a[field] !== b[field]) return a[field] < b[field] ? -1 : 1;
  return 0;
}
