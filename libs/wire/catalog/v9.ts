import { isFault } from '#fault';
import { defaultLimits, type Limits } from '#limits';
import type { CatalogSections, DocumentPart, DocumentParts, SectionDigest, WireCatalog } from '../documents';
import { Members } from '../check/members';
import { Problems } from '../check/problems';
import { shape, type Shape } from '../check/shape';
import { catalogHash } from '../identity/catalog';
import { JsonScan } from '../json/scan';
import { leaveOut } from '../leave-out';
import { payloadText } from '../payload-text';
import { readEdges } from './edges';
import { type CatalogRest, leaveOutKnown, sectionDigest } from './known';
import { readResources } from './resources';

type CatalogField =
  | 'certname'
  | 'version'
  | 'environment'
  | 'transaction_uuid'
  | 'catalog_uuid'
  | 'code_id'
  | 'job_id'
  | 'producer'
  | 'producer_timestamp'
  | 'edges'
  | 'resources';

interface CatalogHead {
  readonly transactionUuid: string | null;
  readonly catalogUuid: string | null;
  readonly codeId: string | null;
  readonly jobId: string | null;
  readonly producer: string | null;
}

type CatalogFields = Omit<WireCatalog, 'sections' | 'content'>;

export interface CatalogVersion {
  readonly version: number;
  readonly shape: Shape<CatalogField>;
  readonly head: (members: Members<CatalogField>) => CatalogHead;
}

export const catalogV9: CatalogVersion = {
  version: 9,
  shape: shape(
    ['certname', 'version', 'producer_timestamp', 'edges', 'resources', 'producer', 'catalog_uuid', 'code_id'],
    ['environment', 'transaction_uuid', 'job_id'],
    { open: true },
  ),
  head: (members) => ({
    transactionUuid: members.uuidOrNull('transaction_uuid'),
    catalogUuid: members.uuidOrNull('catalog_uuid'),
    codeId: members.textOrNull('code_id'),
    jobId: members.textOrNull('job_id'),
    producer: members.textOrNull('producer'),
  }),
};

/** Does not parse sections that equal the sections of `known`, because these sections were checked before. */
export function readCatalog(
  payload: Buffer,
  version: CatalogVersion = catalogV9,
  known?: CatalogSections,
  limits: Limits = defaultLimits,
  onHash?: (ended: boolean) => void,
): WireCatalog {
  onHash?.(false);
  const rest = known === undefined ? undefined : leaveOutKnown(payload, known);
  onHash?.(true);
  const restHead = rest && readRest(rest, version, limits);
  if (known !== undefined && restHead !== undefined) return unchanged(restHead, known);
  const text = payloadText(payload);
  const { members, problems } = open(text, version, limits);
  const head = readHead(members, version);
  const areArrays = (['resources', 'edges'] as const).map((name) => members.isArray(name));
  if (areArrays.includes(false)) problems.throwIfAny();
  const at = (name: SectionName): Section => ({
    scan: members.scan,
    start: members.start(name),
    digest: () => sectionDigest(payload, text, members.start(name), members.end(name)),
  });
  return readContent(head, { resources: at('resources'), edges: at('edges') }, problems, onHash).catalog;
}

type SectionName = keyof CatalogSections;

interface Section {
  readonly scan: JsonScan;
  readonly start: number;
  readonly digest: () => SectionDigest;
}

function readContent(
  head: CatalogFields,
  sections: Readonly<Record<SectionName, Section>>,
  problems: Problems,
  onHash?: (ended: boolean) => void,
): { catalog: WireCatalog; ends: Readonly<Record<SectionName, number>> } {
  const resources = readResources(sections.resources.scan, sections.resources.start, problems);
  const edges = readEdges(sections.edges.scan, sections.edges.start, problems, resources.references);
  problems.throwIfAny();
  onHash?.(false);
  const digests = { resources: sections.resources.digest(), edges: sections.edges.digest() };
  const hash = catalogHash(head.certname, resources.canonical, edges.canonical);
  onHash?.(true);
  return {
    catalog: { ...head, sections: digests, content: { hash, resources: resources.resources, edges: edges.edges } },
    ends: { resources: resources.end, edges: edges.end },
  };
}

/**
 * Reads a catalog whose sections are separate. Does not read sections that equal the sections of `known`. Returns
 * undefined if the caller must read the whole catalog, for example because error messages must contain offsets in the
 * whole catalog.
 */
export function readCatalogInParts(
  { rest, sections }: DocumentParts,
  version: CatalogVersion,
  known: CatalogSections | undefined,
  limits: Limits,
  onHash?: (ended: boolean) => void,
): WireCatalog | undefined {
  const { text, offsets } = leaveOut(
    rest,
    sections.map(({ at }) => ({ start: at, end: at })),
  );
  const { members, problems } = open(text, version, limits);
  const head = readHead(members, version);
  const of = (name: SectionName): DocumentPart | undefined => sections[offsets.indexOf(members.start(name))];
  const [resources, edges] = [of('resources'), of('edges')];
  if (problems.any || sections.length !== 2 || resources === undefined || edges === undefined) return undefined;
  if (known !== undefined && areEqual(resources, known.resources) && areEqual(edges, known.edges))
    return unchanged(head, known);
  if (resources.bytes === undefined || edges.bytes === undefined) return undefined;
  const apart = ({ bytes, length, sha256 }: DocumentPart): Section => ({
    scan: new JsonScan(payloadText(bytes!), limits),
    start: 0,
    digest: () => ({ length, sha256 }),
  });
  const apartSections = { resources: apart(resources), edges: apart(edges) };
  const { catalog, ends } = readContent(head, apartSections, problems, onHash);
  const isWhole = (name: SectionName): boolean => ends[name] === apartSections[name].scan.text.length;
  return isWhole('resources') && isWhole('edges') ? catalog : undefined;
}

export const areEqual = (one: SectionDigest, other: SectionDigest): boolean =>
  one.length === other.length && one.sha256.equals(other.sha256);

const unchanged = (head: CatalogFields, { resources, edges }: CatalogSections): WireCatalog => ({
  ...head,
  sections: { resources, edges },
  content: undefined,
});

function open(text: string, version: CatalogVersion, limits: Limits) {
  const problems = new Problems(`replace catalog ${version.version}`);
  const members = new Members(new JsonScan(text, limits), version.shape, problems);
  members.open(0);
  return { members, problems };
}

/**
 * Returns undefined if the left-out arrays were not the values of `resources` and `edges`. Also returns undefined for
 * an invalid document, because messages must contain offsets in the whole catalog.
 */
function readRest(rest: CatalogRest, version: CatalogVersion, limits: Limits): CatalogFields | undefined {
  try {
    const { members, problems } = open(rest.text, version, limits);
    if (members.start('resources') !== rest.offsets.resources || members.start('edges') !== rest.offsets.edges)
      return undefined;
    const head = readHead(members, version);
    return problems.any ? undefined : head;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

function readHead(members: Members<CatalogField>, version: CatalogVersion): CatalogFields {
  return {
    kind: 'catalog',
    certname: members.text('certname'),
    version: members.text('version'),
    environment: members.textOrNull('environment'),
    producerTimestamp: members.time('producer_timestamp'),
    ...version.head(members),
  };
}
