import { arrayLiteral, type Database, isoTime } from '#database';
import { documentTimeColumns } from '../nodes/life-signs';

export interface StoredNode extends StoredRow {
  /**
   * Maps a producer timestamp, in milliseconds since 1970, to the hashes of the node's reports with this timestamp.
   * Contains only timestamps that were looked up.
   */
  readonly reports: ReadonlyMap<number, ReadonlySet<string>>;
}

export interface StoredRow {
  readonly certname: string;
  readonly deactivated: string | null;
  readonly expiresFacts: boolean;
  readonly expiresFactsUpdated: string | null;
  /**
   * Newest of the times that decide whether the node is active: of documents, of the deactivation, and of the cutoff at
   * which the node expired.
   */
  readonly newest: string | null;
  readonly inputsAt: string | null;
  readonly factsAt: string | null;
  readonly factsHash: string | null;
  readonly factsProducer: string | null;
  readonly catalogAt: string | null;
  readonly catalogHash: string | null;
  /** JSON of the catalog columns that the catalog hash does not include. */
  readonly catalog: string;
  readonly resourcesLength: number | null;
  readonly resourcesSha256: string | null;
  readonly edgesLength: number | null;
  readonly edgesSha256: string | null;
}

const newest = `greatest(${[
  ...documentTimeColumns(({ outdatesState }) => outdatesState),
  'n.deactivated',
  'n.expired_cutoff',
].join(', ')})`;

export async function readStoredRows(
  db: Database,
  schema: string,
  certnames: readonly string[],
): Promise<Map<string, StoredRow>> {
  const rows = await db.query<StoredRow>({
    text: `SELECT n.certname, ${isoTime('n.deactivated')} AS deactivated, n.expires_facts AS "expiresFacts",
             ${isoTime('n.expires_facts_updated')} AS "expiresFactsUpdated",
             ${isoTime(newest)} AS newest,
             ${isoTime('i.producer_timestamp')} AS "inputsAt",
             ${isoTime('f.producer_timestamp')} AS "factsAt", f.hash AS "factsHash", fp.name AS "factsProducer",
             ${isoTime('c.producer_timestamp')} AS "catalogAt", c.hash AS "catalogHash",
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
    values: [arrayLiteral([...new Set(certnames)])],
  });
  return new Map(rows.map((row) => [row.certname, row]));
}
