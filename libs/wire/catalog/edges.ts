import type { WireEdge } from '../documents';
import { eachElement } from '../check/elements';
import { Members } from '../check/members';
import { quoted, type Problems } from '../check/problems';
import { shape } from '../check/shape';
import { edgeKey, resourceKey } from '../identity/catalog';
import type { JsonScan } from '../json/scan';

const edge = shape(['source', 'target', 'relationship'], [], { open: true });
const end = shape(['type', 'title']);
const relationships: ReadonlySet<string> = new Set([
  'contains',
  'before',
  'required-by',
  'notifies',
  'subscription-of',
]);

/** The edges of the array at `start`, distinct and sorted by their keys. `keys`: those of the catalog's resources. */
export function readEdges(
  scan: JsonScan,
  start: number,
  keys: ReadonlyMap<string, unknown>,
  problems: Problems,
): WireEdge[] {
  const members = new Members(scan, edge, problems, 2);
  members.base = 'edges';
  const readEnd = (name: 'source' | 'target') => {
    const ends = new Members(scan, end, problems, 3);
    ends.base = () => members.path(name);
    return (): { type: string; title: string } => {
      if (!members.has(name)) return { type: '', title: '' };
      ends.open(members.start(name));
      const type = ends.text('type');
      const title = ends.text('title');
      if (!keys.has(resourceKey(type, title)) && ends.has('type') && ends.has('title'))
        problems.add(ends.path(), 'a resource of this catalog', quoted(`${type}[${title}]`));
      return { type, title };
    };
  };
  const readSource = readEnd('source');
  const readTarget = readEnd('target');
  const edges = new Map<string, WireEdge>();
  eachElement(scan, start, (pos, index) => {
    members.index = index;
    const after = members.open(pos);
    const source = readSource();
    const target = readTarget();
    const relationship = members.text('relationship');
    if (members.kind('relationship') === 'string' && !relationships.has(relationship))
      members.wrong('relationship', [...relationships].join(', '), quoted(relationship));
    const one = {
      sourceType: source.type,
      sourceTitle: source.title,
      targetType: target.type,
      targetTitle: target.title,
      relationship,
    };
    edges.set(edgeKey(one), one);
    return after;
  });
  return [...edges.keys()].sort().map((key) => edges.get(key)!);
}
