/**
 * Finds the documents that an import must append. Without this check, repeated imports would make the log grow. If the
 * check misses a stored document, the import only appends the document again.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { arrayLiteral, type Database, type Generations } from '#database';
import type { Limits } from '#limits';
import { readCommand, type CatalogSections, type WireDocument } from '#wire';
import { kindOf, kindOfCommand } from '../document-kinds';
import { isRemoved } from '../maintenance/removed-reports';
import type { GivenDocument } from './stored-check';
import { readStoredRows, type StoredNode } from './stored-node';

interface StoredDocumentsOptions {
  readonly db: Database;
  readonly generations: Generations;
  readonly limits: Limits;
  readonly dropFact?: ((name: string) => boolean) | undefined;
}

/**
 * Larger documents are appended again, because reading one blocks other requests (50 ms for 17 MB). Usual facts have
 * 0.1 MB and usual catalogs 1 MB.
 */
const largestChecked = 4_000_000;

export class StoredDocuments {
  constructor(private readonly options: StoredDocumentsOptions) {}

  async missing<D extends GivenDocument>(documents: readonly D[]): Promise<D[]> {
    const generation = await this.options.generations.live();
    if (generation === undefined) return [...documents];
    const nodes = await this.nodes(generation.schema, documents);
    const missing: D[] = [];
    for (const document of documents) {
      const node = nodes.get(document.certname);
      const mayBeStored =
        document.payload.length <= largestChecked &&
        node !== undefined &&
        kindOfCommand(document.command)?.stored?.mayBe(document, node) === true;
      if (mayBeStored && (await this.isStored(document, node))) continue;
      missing.push(document);
    }
    return missing;
  }

  private async isStored(given: GivenDocument, node: StoredNode): Promise<boolean> {
    // Lets other requests run between two documents, because reading a document takes milliseconds.
    await turn();
    const catalog = storedCatalog(node);
    const { limits, dropFact } = this.options;
    let document: WireDocument;
    try {
      document = readCommand(given, given.payload, { limits, dropFact, ...(catalog && { catalog }) });
    } catch {
      // The import appends an invalid document, and the projector makes it a dead letter.
      return false;
    }
    return kindOf(document).stored?.is(document, node, given) === true;
  }

  private async nodes(schema: string, documents: readonly GivenDocument[]): Promise<Map<string, StoredNode>> {
    const { db } = this.options;
    const rows = await readStoredRows(
      db,
      schema,
      documents.map(({ certname }) => certname),
    );
    const reports = await this.reports(
      schema,
      documents.filter(({ command, certname }) => command === 'store report' && rows.has(certname)),
    );
    return new Map(
      [...rows].map(([certname, row]) => [certname, { ...row, reports: reports.get(certname) ?? new Map() }]),
    );
  }

  /**
   * Returns a map from a certname and a time to the hashes of the node's stored reports with this time. Searches only
   * the nodes and times of `documents`. Omits reports that an age limit has removed, so that an import can add them
   * again.
   */
  private async reports(
    schema: string,
    documents: readonly GivenDocument[],
  ): Promise<Map<string, Map<number, Set<string>>>> {
    const found = new Map<string, Map<number, Set<string>>>();
    const wanted = documents.filter(({ producedAt }) => producedAt !== undefined);
    if (wanted.length === 0) return found;
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
    for (const { certname, at, hash } of rows) {
      const ofNode = found.get(certname) ?? new Map<number, Set<string>>();
      found.set(certname, ofNode.set(Number(at), (ofNode.get(Number(at)) ?? new Set()).add(hash)));
    }
    return found;
  }
}

/** With these lengths and hashes, `readCommand` recognizes unchanged sections and does not parse them. */
function storedCatalog({
  catalogHash,
  resourcesLength,
  resourcesSha256,
  edgesLength,
  edgesSha256,
}: StoredNode): (CatalogSections & { hash: string }) | undefined {
  if (catalogHash === null || resourcesSha256 === null || edgesSha256 === null) return undefined;
  return {
    hash: catalogHash,
    resources: { length: resourcesLength!, sha256: Buffer.from(resourcesSha256, 'hex') },
    edges: { length: edgesLength!, sha256: Buffer.from(edgesSha256, 'hex') },
  };
}
