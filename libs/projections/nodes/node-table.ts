import { arrayLiteral, type Database, type Session } from '#database';
import { key64 } from '../keys';
import { newNode, type NodeRow, type NodeState } from '../node-state';
import { RowSet, type Column } from '../row-set';

/** Column of `nodes`, its type, and the field of NodeRow that it holds. */
const fields: readonly (Column & { readonly field: keyof NodeRow })[] = [
  { name: 'deactivated', type: 'timestamptz', field: 'deactivated' },
  { name: 'expired', type: 'timestamptz', field: 'expired' },
  { name: 'expired_cutoff', type: 'timestamptz', field: 'expiredCutoff' },
  { name: 'catalog_timestamp', type: 'timestamptz', field: 'catalogTimestamp' },
  { name: 'facts_timestamp', type: 'timestamptz', field: 'factsTimestamp' },
  { name: 'report_timestamp', type: 'timestamptz', field: 'reportTimestamp' },
  { name: 'catalog_environment', type: 'text', field: 'catalogEnvironment' },
  { name: 'facts_environment', type: 'text', field: 'factsEnvironment' },
  { name: 'report_environment', type: 'text', field: 'reportEnvironment' },
  { name: 'latest_report_status', type: 'text', field: 'latestReportStatus' },
  { name: 'latest_report_noop', type: 'boolean', field: 'latestReportNoop' },
  { name: 'latest_report_noop_pending', type: 'boolean', field: 'latestReportNoopPending' },
  { name: 'latest_report_corrective_change', type: 'boolean', field: 'latestReportCorrectiveChange' },
  { name: 'latest_report_hash', type: 'text', field: 'latestReportHash' },
  { name: 'latest_report_job_id', type: 'text', field: 'latestReportJobId' },
  { name: 'cached_catalog_status', type: 'text', field: 'cachedCatalogStatus' },
  { name: 'catalog_producer_timestamp', type: 'timestamptz', field: 'catalogProducerTimestamp' },
  { name: 'facts_producer_timestamp', type: 'timestamptz', field: 'factsProducerTimestamp' },
  { name: 'report_producer_timestamp', type: 'timestamptz', field: 'reportProducerTimestamp' },
  { name: 'inputs_producer_timestamp', type: 'timestamptz', field: 'inputsProducerTimestamp' },
  { name: 'expires_facts', type: 'boolean', field: 'expiresFacts' },
  { name: 'expires_facts_updated', type: 'timestamptz', field: 'expiresFactsUpdated' },
  { name: 'log_partition', type: 'int', field: 'logPartition' },
  { name: 'log_offset', type: 'bigint', field: 'logOffset' },
];

const isoTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column.replace('n.', '')}`;

interface StoredNode extends Record<string, unknown> {
  node: string;
  certname: string;
  digest: Buffer | null;
  package_digest: Buffer | null;
  catalog_hash: string | null;
  resources_length: number;
  resources_sha256: Buffer;
  edges_length: number;
  edges_sha256: Buffer;
}

/** The states of the named nodes as they are stored; nodes that no record has named before start empty. */
export async function loadNodes(
  db: Database | Session,
  schema: string,
  certnames: Iterable<string>,
): Promise<Map<string, NodeState>> {
  const states = new Map<string, NodeState>();
  for (const certname of certnames) {
    if (!states.has(certname)) states.set(certname, newNode(key64(certname), certname));
  }
  const columns = fields.map(({ name, type }) => (type === 'timestamptz' ? isoTime(`n.${name}`) : `n.${name}`));
  const rows = await db.query<StoredNode>({
    name: `load-nodes-${schema}`,
    text: `SELECT n.node::text AS node, n.certname, ${columns.join(', ')},
             f.digest, p.digest AS package_digest, c.hash AS catalog_hash,
             c.resources_length, c.resources_sha256, c.edges_length, c.edges_sha256
           FROM unnest($1::bigint[]) AS wanted(node)
           JOIN ${schema}.nodes n ON n.node = wanted.node
           LEFT JOIN ${schema}.factsets f ON f.node = n.node
           LEFT JOIN ${schema}.package_inventory p ON p.node = n.node
           LEFT JOIN ${schema}.catalogs c ON c.node = n.node`,
    values: [arrayLiteral([...states.values()].map((state) => state.node))],
  });
  for (const stored of rows) {
    const state = states.get(stored.certname);
    if (state === undefined || state.node !== stored.node) continue;
    state.stored = true;
    for (const { name, field } of fields) (state.row as unknown as Record<string, unknown>)[field] = stored[name];
    if (stored.digest !== null) state.factDigest = stored.digest;
    if (stored.package_digest !== null) state.packageDigest = stored.package_digest;
    if (stored.catalog_hash !== null) {
      state.catalog = {
        hash: stored.catalog_hash,
        resources: { length: stored.resources_length, sha256: stored.resources_sha256 },
        edges: { length: stored.edges_length, sha256: stored.edges_sha256 },
      };
    }
  }
  return states;
}

/** Writes the rows of the nodes that differ from what is stored, in key order (the lock order of all projectors). */
export async function writeNodes(session: Session, schema: string, states: Iterable<NodeState>): Promise<void> {
  const changed = [...states].filter((state) => state.dirty).sort((a, b) => (a.node < b.node ? -1 : 1));
  if (changed.length === 0) return;
  const rows = new RowSet('nodes', [{ name: 'node', type: 'bigint' }, { name: 'certname', type: 'text' }, ...fields]);
  for (const { node, certname, row } of changed) rows.push(node, certname, ...fields.map(({ field }) => row[field]));
  const assignments = fields.map(({ name }) => `${name} = excluded.${name}`).join(', ');
  await rows.insert(session, schema, `ON CONFLICT (node) DO UPDATE SET ${assignments}`);
}
