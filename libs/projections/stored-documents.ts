/**
 * Which documents the live tables hold already, exactly as they are given, or, for states of nodes, something newer. An
 * import asks this before it appends, so that the log does not grow by what changes nothing. A document that is wrongly
 * not found is only appended once more.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { arrayLiteral, type Database, type Generations } from '#database';
import type { Limits } from '#limits';
import {
  lifecycleCommands,
  readCommand,
  type WireCatalog,
  type WireDocument,
  type WireFactset,
  type WireNodeRestoration,
} from '#wire';
import { isRemoved } from './partitions/removed-reports';

/** A command whose payload is not compressed. */
export interface GivenDocument {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly payload: Buffer;
  /** Epoch milliseconds of its `producer_timestamp`; undefined where it has none that can be read. */
  readonly producedAt: number | undefined;
}

interface StoredDocumentsOptions {
  readonly db: Database;
  readonly generations: Generations;
  readonly limits: Limits;
  readonly dropFact?: ((name: string) => boolean) | undefined;
}

/** What a node has, as far as a document is compared with it. Times are ISO text. */
interface NodeRow {
  readonly certname: string;
  readonly deactivated: string | null;
  readonly expiresFacts: boolean;
  readonly expiresFactsUpdated: string | null;
  /** The newest time of what makes a node active or takes it away. */
  readonly newest: string | null;
  readonly inputsAt: string | null;
  readonly factsAt: string | null;
  readonly factsHash: string | null;
  readonly factsProducer: string | null;
  readonly catalogAt: string | null;
  readonly catalogHash: string | null;
  /** JSON of the columns of a catalog that its hash does not have. */
  readonly catalog: string;
  readonly resourcesLength: number | null;
  readonly resourcesSha256: string | null;
  readonly edgesLength: number | null;
  readonly edgesSha256: string | null;
}

/** Larger documents are not compared but appended again: comparing one would delay other requests for longer. */
const mostComparedBytes = 4_000_000;

const iso = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * SQL: the time of the newest change of the node `n` that decides whether it is active. Catalog inputs are not among them: they do
 * not make an inactive node active.
 */
const newest = `greatest(
  n.catalog_producer_timestamp,
  n.facts_producer_timestamp,
  n.report_producer_timestamp,
  n.expires_facts_updated,
  n.deactivated,
  coalesce(n.expired_cutoff, n.expired)
)`;

const reportKeyOf = (certname: string, at: number): string => `${at} ${certname}`;

export class StoredDocuments {
  constructor(private readonly options: StoredDocumentsOptions) {}

  /** Returns the documents that are not stored, in the same order. */
  async missing<D extends GivenDocument>(documents: readonly D[]): Promise<D[]> {
    const generation = await this.options.generations.live();
    if (generation === undefined) return [...documents];
    const nodes = await this.nodes(generation.schema, documents);
    const reports = await this.reports(
      generation.schema,
      documents.filter(({ command, certname }) => command === 'store report' && nodes.has(certname)),
    );
    const missing: D[] = [];
    for (const document of documents) {
      const node = nodes.get(document.certname);
      if (node !== undefined && mayBeStored(document, node, reports) && (await this.isStored(document, node, reports)))
        continue;
      missing.push(document);
    }
    return missing;
  }

  private async isStored(
    given: GivenDocument,
    node: NodeRow,
    reports: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<boolean> {
    // Reading takes milliseconds: others get their turn between two documents.
    await turn();
    const catalog = storedCatalog(node);
    const { limits, dropFact } = this.options;
    let document: WireDocument;
    try {
      document = readCommand(given, given.payload, { limits, dropFact, ...(catalog && { catalog }) });
    } catch {
      // It becomes a dead letter, as it would if somebody submitted it.
      return false;
    }
    switch (document.kind) {
      case 'facts':
        return isSameFactset(document, node);
      case 'catalog':
        return isSameCatalog(document, node);
      case 'report':
        return reports.get(reportKeyOf(given.certname, given.producedAt!))?.has(document.hash) === true;
      case 'deactivation':
        return document.producerTimestamp === node.deactivated;
      case 'expiration':
        return document.producerTimestamp === node.expiresFactsUpdated && document.expireFacts === node.expiresFacts;
      case 'inputs':
        return document.producerTimestamp === node.inputsAt;
      case 'node restoration':
        return isOutlived(document, node);
      default:
        return false;
    }
  }

  private async nodes(schema: string, documents: readonly GivenDocument[]): Promise<Map<string, NodeRow>> {
    const rows = await this.options.db.query<NodeRow>({
      text: `SELECT n.certname, ${iso('n.deactivated')} AS deactivated, n.expires_facts AS "expiresFacts",
               ${iso('n.expires_facts_updated')} AS "expiresFactsUpdated",
               ${iso(newest)} AS newest,
               ${iso('i.producer_timestamp')} AS "inputsAt",
               ${iso('f.producer_timestamp')} AS "factsAt", f.hash AS "factsHash", fp.name AS "factsProducer",
               ${iso('c.producer_timestamp')} AS "catalogAt", c.hash AS "catalogHash",
               json_build_array(ce.name, cp.name, c.version, c.transaction_uuid, c.catalog_uuid, c.code_id, c.job_id)
                 AS catalog,
               c.resources_length AS "resourcesLength", encode(c.resources_sha256, 'hex') AS "resourcesSha256",
               c.edges_length AS "edgesLength", encode(c.edges_sha256, 'hex') AS "edgesSha256"
             FROM ${schema}.nodes n
             LEFT JOIN ${schema}.factsets f ON f.node = n.node
             LEFT JOIN ${schema}.producers fp ON fp.producer = f.producer
             LEFT JOIN ${schema}.catalogs c ON c.node = n.node
             LEFT JOIN ${schema}.environments ce ON ce.environment = c.environment
             LEFT JOIN ${schema}.producers cp ON cp.producer = c.producer
             LEFT JOIN ${schema}.catalog_inputs i ON i.node = n.node
             WHERE n.certname = ANY ($1::text[])`,
      values: [arrayLiteral([...new Set(documents.map(({ certname }) => certname))])],
    });
    return new Map(rows.map((row) => [row.certname, row]));
  }

  /** The hashes of reports by node and time, without those that an age limit has taken: if they come again, they count again. */
  private async reports(schema: string, documents: readonly GivenDocument[]): Promise<Map<string, Set<string>>> {
    const wanted = documents.filter(({ producedAt }) => producedAt !== undefined);
    if (wanted.length === 0) return new Map();
    const rows = await this.options.db.query<{ certname: string; at: string; hash: string }>({
      text: `SELECT n.certname, t.at::text AS at, r.hash
             FROM unnest($1::text[], $2::float8[]) AS t(certname, at)
             JOIN ${schema}.nodes n ON n.certname = t.certname
             JOIN ${schema}.reports r ON r.node = n.node AND r.producer_timestamp = to_timestamp(t.at / 1000)
             WHERE NOT ${isRemoved(schema)}`,
      values: [
        arrayLiteral(wanted.map(({ certname }) => certname)),
        arrayLiteral(wanted.map(({ producedAt }) => producedAt!)),
      ],
    });
    const found = new Map<string, Set<string>>();
    for (const { certname, at, hash } of rows) {
      const key = reportKeyOf(certname, Number(at));
      found.set(key, (found.get(key) ?? new Set()).add(hash));
    }
    return found;
  }
}

/** Without reading the document. */
function mayBeStored(
  { command, certname, payload, producedAt }: GivenDocument,
  node: NodeRow,
  reports: ReadonlyMap<string, unknown>,
): boolean {
  if (command === lifecycleCommands.restoreNode.command) return true;
  if (producedAt === undefined || payload.length > mostComparedBytes) return false;
  const is = (time: string | null): boolean => time !== null && Date.parse(time) === producedAt;
  switch (command) {
    case 'replace facts':
      return is(node.factsAt);
    case 'replace catalog':
      return is(node.catalogAt);
    case 'store report':
      return reports.has(reportKeyOf(certname, producedAt));
    case 'deactivate node':
      return is(node.deactivated);
    case 'configure expiration':
      return is(node.expiresFactsUpdated);
    case 'replace catalog inputs':
      return is(node.inputsAt);
    default:
      return false;
  }
}

/**
 * Whether something is known of the node that is newer than this state of it, which would count outright: a node that has
 * come back since must not go away again.
 */
function isOutlived(
  { deactivated, expired, expiredCutoff, expireFactsUpdated }: WireNodeRestoration,
  node: NodeRow,
): boolean {
  const times = [deactivated, expiredCutoff ?? expired, expireFactsUpdated].map((time) => Date.parse(time ?? ''));
  const changed = Math.max(...times.filter((time) => !Number.isNaN(time)));
  return node.newest !== null && Date.parse(node.newest) > changed;
}

/** What lets equal sections of a catalog be recognized without being parsed. */
function storedCatalog({
  catalogHash,
  resourcesLength,
  resourcesSha256,
  edgesLength,
  edgesSha256,
}: NodeRow): { hash: string; resources: Section; edges: Section } | undefined {
  if (catalogHash === null || resourcesSha256 === null || edgesSha256 === null) return undefined;
  return {
    hash: catalogHash,
    resources: { length: resourcesLength!, sha256: Buffer.from(resourcesSha256, 'hex') },
    edges: { length: edgesLength!, sha256: Buffer.from(edgesSha256, 'hex') },
  };
}
type Section = WireCatalog['sections']['resources'];

/** The hash has the certname, the environment, the values and the packages. */
const isSameFactset = (facts: WireFactset, node: NodeRow): boolean =>
  facts.producerTimestamp === node.factsAt && facts.hash === node.factsHash && facts.producer === node.factsProducer;

/** The hash has the certname, the resources and the edges. */
function isSameCatalog(catalog: WireCatalog, node: NodeRow): boolean {
  const { environment, producer, version, transactionUuid, catalogUuid, codeId, jobId, content } = catalog;
  const others = [environment, producer, version, transactionUuid, catalogUuid, codeId, jobId];
  return (
    catalog.producerTimestamp === node.catalogAt &&
    (content === undefined || content.hash === node.catalogHash) &&
    JSON.stringify(others) === JSON.stringify(JSON.parse(node.catalog))
  );
}
