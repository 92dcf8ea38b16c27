import { isAscii, isUtf8 } from 'node:buffer';
import { isFault } from '#fault';
import type { Limits } from '#limits';
import type { WireEdge, WireResource } from '../documents';
import { Problems } from '../check/problems';
import { identifyEdge, type ResourceReference, resourceReference } from '../identity/catalog';
import { JsonScan } from '../json/scan';
import { EdgeReader, relationshipRanks } from './edges';
import { KeptBytes } from './kept-bytes';
import { OwnCopies, ownCopy } from '../own-copies';
import { type CatalogRest, leaveOut, type Range } from './known';
import { KnownElements } from './known-elements';
import { distinctEdges, RankedNames, sortedEdges, sortedResources } from './ranks';
import { ResourceReader } from './resources';
import { sectionStart } from './section-start';

/** One object for each type and title, so that two elements name the same resource where they have the same object. */
interface Named extends ResourceReference {
  /** The names of the memory are counted from 0. */
  number: number;
  /** The number of the last catalog that had such a resource. */
  foundIn: number;
}

interface KnownResource {
  readonly resource: WireResource;
  readonly named: Named;
  /** Bytes of its canonical text. */
  readonly canonical: Buffer;
}

interface KnownEdge {
  readonly edge: WireEdge;
  readonly canonical: Buffer;
  readonly source: Named;
  readonly target: Named;
  /** The place of its relationship among all of them. */
  readonly relationship: number;
}

/** Both sections of a catalog, read and checked, as far as the rest of it confirms where they stand. */
export interface QuickSections {
  /** The catalog without them. */
  readonly rest: CatalogRest;
  readonly ranges: { readonly resources: Range; readonly edges: Range };
  readonly resources: readonly WireResource[];
  readonly edges: readonly WireEdge[];
  /** The bytes of the canonical texts of both, in the order of their keys. */
  readonly canonical: { readonly resources: readonly Buffer[]; readonly edges: readonly Buffer[] };
}

/** Bytes of memory that the elements of a section may take up, about. */
const mostResourceBytes = 32 << 20;
const mostEdgeBytes = 24 << 20;
/** Bytes of memory for each name in addition to its characters, and for each type with its map of names. */
const nameBytes = 400;

/**
 * Reads the sections of usual catalogs element by element from their bytes, and remembers the elements: machines of a role
 * share most of them. Whatever is unusual or wrong is left to the careful reader, which also makes the errors. When it is
 * full, a new one replaces it before the next catalog and takes over the elements that were found again. So all elements of a
 * catalog belong to one set of names.
 */
class CatalogMemory {
  /** By type and title. */
  private readonly names = new Map<string, Map<string, Named>>();
  private nameCount = 0;
  private readonly typeNames = new OwnCopies();
  private readonly fileNames = new OwnCopies();
  private nameWeight = 0;
  private catalogs = 0;
  private readonly problems = new Problems('');
  private readonly resourceReader: ResourceReader;
  private readonly edgeReader: EdgeReader<Named>;
  private readonly kept = new KeptBytes();
  private readonly ranked = new RankedNames();
  private readonly resources = new KnownElements<KnownResource>(mostResourceBytes, this.kept, (text) =>
    this.readResource(text),
  );
  private readonly edges = new KnownElements<KnownEdge>(mostEdgeBytes, this.kept, (text) => this.readEdge(text));

  /** `earlier`: a full one. Elements that only one catalog had are not taken over. */
  constructor(
    readonly limits: Limits,
    earlier?: CatalogMemory,
  ) {
    const nothing = new JsonScan('', limits);
    this.resourceReader = new ResourceReader(nothing, this.problems);
    this.edgeReader = new EdgeReader(nothing, this.problems, (type, title) => this.named(type, title));
    if (earlier === undefined) return;
    this.catalogs = earlier.catalogs;
    const { kept } = this;
    this.resources.copyFoundAgain(earlier.resources, ({ resource, named, canonical }) => {
      this.takeName(named);
      return { resource, named, canonical: kept.copy(canonical) };
    });
    this.edges.copyFoundAgain(earlier.edges, ({ edge, source, target, relationship, canonical }) => {
      this.takeName(source);
      this.takeName(target);
      return { edge, source, target, relationship, canonical: kept.copy(canonical) };
    });
  }

  /** Whether it takes up this share of the room that it has. */
  isFullTo(share: number): boolean {
    const { resources, edges, nameWeight } = this;
    return resources.weight >= mostResourceBytes * share || edges.weight + nameWeight >= mostEdgeBytes * share;
  }

  read(payload: Buffer, limits: Limits): QuickSections | undefined {
    const ascii = isAscii(payload);
    if (!ascii && !isUtf8(payload)) return undefined;
    const resources: KnownResource[] = [];
    const edges: KnownEdge[] = [];
    const readResources = (start: number): number =>
      this.resources.section(payload, start, ascii, limits.resources, resources);
    const readEdges = (start: number): number => this.edges.section(payload, start, ascii, limits.edges, edges);
    const ranges = readBoth(payload, readResources, readEdges);
    if (ranges === undefined || !this.areWhole(resources, edges)) return undefined;
    const { byTitle, byType } = this.ranked.ranks();
    const inOrder = distinctEdges(sortedEdges(edges, byTitle));
    return {
      rest: leaveOut(payload, ranges.resources, ranges.edges),
      ranges,
      resources: resources.map(({ resource }) => resource),
      edges: sortedEdges(inOrder, byType).map(({ edge }) => edge),
      canonical: {
        resources: sortedResources(resources, byTitle).map(({ canonical }) => canonical),
        edges: inOrder.map(({ canonical }) => canonical),
      },
    };
  }

  /** Whether each resource is there once, and the ends of all edges are. */
  private areWhole(resources: readonly KnownResource[], edges: readonly KnownEdge[]): boolean {
    const catalog = ++this.catalogs;
    for (const { named } of resources) {
      if (named.foundIn === catalog) return false;
      named.foundIn = catalog;
    }
    return edges.every(({ source, target }) => source.foundIn === catalog && target.foundIn === catalog);
  }

  private readResource(text: string): KnownResource | undefined {
    const { resourceReader, problems } = this;
    const before = problems.count;
    resourceReader.members.scan = new JsonScan(text, this.limits);
    const { resource, canonical, end } = resourceReader.read(0);
    if (problems.count !== before || end !== text.length) return undefined;
    const named = this.named(resource.type, resource.title);
    // Copies the texts: a slice would keep the whole element in memory.
    const { exported, line, tags, parameters, hash, content } = resource;
    const { type, title } = named;
    const file = resource.file === null ? null : this.fileNames.copy(resource.file);
    return {
      resource: { type, title, exported, file, line, tags, parameters, hash, content },
      canonical: this.kept.text(canonical),
      named,
    };
  }

  private readEdge(text: string): KnownEdge | undefined {
    const { edgeReader, problems } = this;
    const before = problems.count;
    edgeReader.scan = new JsonScan(text, this.limits);
    const { source, target, relationship, end } = edgeReader.read(0);
    if (problems.count !== before || end !== text.length || source === undefined || target === undefined)
      return undefined;
    const { edge, canonical } = identifyEdge(source, target, relationship);
    const rank = relationshipRanks.get(relationship) as number;
    return { edge, canonical: this.kept.text(canonical), source, target, relationship: rank };
  }

  private named(type: string, title: string): Named {
    const known = this.names.get(type)?.get(title);
    if (known !== undefined) return known;
    const copy = ownCopy(title);
    const named = { ...resourceReference(this.typeNames.copy(type), copy), foundIn: 0, number: 0 };
    this.addName(named);
    return named;
  }

  private takeName(named: Named): void {
    if (this.names.get(named.type)?.get(named.title) !== named) this.addName(named);
  }

  private addName(named: Named): void {
    const { key, type, title } = named;
    named.number = this.nameCount++;
    let ofType = this.names.get(type);
    if (ofType === undefined) {
      this.names.set(type, (ofType = new Map()));
      this.nameWeight += nameBytes;
    }
    ofType.set(title, named);
    this.ranked.add(named);
    this.nameWeight += nameBytes + key.length * 6;
  }
}

/** Reads first the section that comes first: what looks like the key of the other may lie in it. */
function readBoth(
  payload: Buffer,
  readResources: (start: number) => number,
  readEdges: (start: number) => number,
): QuickSections['ranges'] | undefined {
  const resourcesAt = sectionStart(payload, '"resources"', 0);
  if (resourcesAt === -1) return undefined;
  const edgesBefore = sectionStart(payload.subarray(0, resourcesAt), '"edges"', 0);
  const readAt = (start: number, read: (start: number) => number): Range | undefined => {
    const end = start === -1 ? -1 : read(start);
    return end === -1 ? undefined : { start, end };
  };
  const first = edgesBefore === -1 ? readAt(resourcesAt, readResources) : readAt(edgesBefore, readEdges);
  if (first === undefined) return undefined;
  const second =
    edgesBefore === -1
      ? readAt(sectionStart(payload, '"edges"', first.end), readEdges)
      : readAt(sectionStart(payload, '"resources"', first.end), readResources);
  if (second === undefined) return undefined;
  return edgesBefore === -1 ? { resources: first, edges: second } : { resources: second, edges: first };
}

let memory: CatalogMemory | undefined;

/**
 * Both sections of a catalog if it is a usual one; undefined where the careful reader has to look. The rest of the catalog
 * has still to confirm where they stand, as with `leaveOutKnown`.
 */
export function readQuickly(payload: Buffer, limits: Limits): QuickSections | undefined {
  // An element that was admitted at one depth may not be at another.
  if (memory === undefined || memory.limits.documentDepth !== limits.documentDepth) memory = new CatalogMemory(limits);
  else if (memory.isFullTo(1)) {
    memory = new CatalogMemory(limits, memory);
    // It would be full again too soon.
    if (memory.isFullTo(0.75)) memory = new CatalogMemory(limits);
  }
  try {
    return memory.read(payload, limits);
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}
