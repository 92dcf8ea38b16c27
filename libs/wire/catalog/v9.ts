import { isFault } from '#fault';
import { defaultLimits, type Limits } from '#limits';
import type { CatalogSections, WireCatalog } from '../documents';
import { Members } from '../check/members';
import { Problems } from '../check/problems';
import { shape, type Shape } from '../check/shape';
import { catalogHash } from '../identity/catalog';
import { JsonScan } from '../json/scan';
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

/** The fields that the versions read differently. */
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

/**
 * Reads and checks the bytes of a catalog. Does not parse sections that equal those of `known`, which were checked
 * before. In that case, `content` is undefined.
 */
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
  const unchanged = known && rest && readUnchanged(rest, version, known, limits);
  if (unchanged !== undefined) return unchanged;
  const text = payloadText(payload);
  const { members, problems } = open(text, version, limits);
  const head = readHead(members, version);
  const areArrays = (['resources', 'edges'] as const).map((name) => members.isArray(name));
  // Throws here if a section is missing or not an array, because the next lines need both arrays.
  if (areArrays.includes(false)) problems.throwIfAny();
  const { scan } = members;
  const { resources, references, canonical: resourceTexts } = readResources(scan, members.start('resources'), problems);
  const { edges, canonical: edgeTexts } = readEdges(members, references);
  problems.throwIfAny();
  const digest = (name: 'resources' | 'edges') => sectionDigest(payload, text, members.start(name), members.end(name));
  onHash?.(false);
  const sections = { resources: digest('resources'), edges: digest('edges') };
  const hash = catalogHash(head.certname, resourceTexts, edgeTexts);
  onHash?.(true);
  return { ...head, sections, content: { hash, resources, edges } };
}

/**
 * Reads a catalog whose sections were left out because they are those of `known`. Returns undefined if the whole
 * catalog must be read.
 */
export function readUnchanged(
  rest: CatalogRest,
  version: CatalogVersion,
  known: CatalogSections,
  limits: Limits,
): WireCatalog | undefined {
  const head = readRest(rest, version, limits);
  return head && { ...head, sections: { resources: known.resources, edges: known.edges }, content: undefined };
}

function open(text: string, version: CatalogVersion, limits: Limits) {
  const problems = new Problems(`replace catalog ${version.version}`);
  const members = new Members(new JsonScan(text, limits), version.shape, problems);
  members.open(0);
  return { members, problems };
}

/**
 * Reads the other members of a catalog without its sections. Returns undefined if the sections were not at the offsets
 * of their members. Also returns undefined for an invalid document, because messages must contain offsets in the whole
 * catalog.
 */
function readRest(rest: CatalogRest, version: CatalogVersion, limits: Limits): CatalogFields | undefined {
  try {
    const { members, problems } = open(rest.text, version, limits);
    if (members.start('resources') !== rest.places.resources || members.start('edges') !== rest.places.edges)
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
