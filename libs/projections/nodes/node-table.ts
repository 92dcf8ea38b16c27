import { arrayLiteral, type Database, isoTime, type Session } from '#database';
import type { BatchPart } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { key64 } from '../keys';
import { newNode, type NodeState } from '../node-state';
import { insertPast } from '../history/move-to-past';
import { RowSet } from '../row-set';
import { tableColumns } from '../schema/read-tables';
import { nodeColumn, nodeFields } from './node-columns';

const columnNames = nodeFields.map(nodeColumn);
const rowColumns = tableColumns('nodes', ['node', 'certname', ...columnNames, 'since']);
/** Without the position of the state, because only snapshots of the log read this position. */
const pastNames = rowColumns
  .map(({ name }) => name)
  .filter((name) => name !== 'log_partition' && name !== 'log_offset');
const versionColumns = [...rowColumns, { name: 'is_first', type: 'boolean' }, { name: 'until', type: 'bigint' }];

interface StoredNode extends Record<string, unknown> {
  node: string;
  certname: string;
  digest: Buffer | null;
  package_digest: Buffer | null;
  catalog_hash: string | null;
  code_id: string | null;
  resources_length: number;
  resources_sha256: Buffer;
  edges_length: number;
  edges_sha256: Buffer;
}

export async function loadNodes(
  db: Database | Session,
  schema: string,
  certnames: Iterable<string>,
): Promise<Map<string, NodeState>> {
  const states = new Map<string, NodeState>();
  for (const certname of certnames) {
    if (!states.has(certname)) states.set(certname, newNode(key64(certname), certname));
  }
  const columns = tableColumns('nodes', columnNames).map(({ name, type }) =>
    type === 'timestamptz' ? `${isoTime(`n.${name}`)} AS ${name}` : `n.${name}`,
  );
  const rows = await db.query<StoredNode>({
    name: `load-nodes-${schema}`,
    text: `SELECT n.node::text AS node, n.certname, ${columns.join(', ')},
             f.digest, p.digest AS package_digest, c.hash AS catalog_hash, c.code_id,
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
    nodeFields.forEach((field, index) => {
      (state.row as unknown as Record<string, unknown>)[field] = stored[columnNames[index]!];
    });
    if (stored.digest !== null) state.factDigest = stored.digest;
    if (stored.package_digest !== null) state.packageDigest = stored.package_digest;
    if (stored.catalog_hash !== null) {
      state.catalog = {
        hash: stored.catalog_hash,
        codeId: stored.code_id,
        resources: { length: stored.resources_length, sha256: stored.resources_sha256 },
        edges: { length: stored.edges_length, sha256: stored.edges_sha256 },
      };
    }
  }
  return states;
}

/** Writes the last version of each node. Moves the stored version and the other new versions to the past. */
async function writeVersions(session: Session, schema: string, versions: RowSet): Promise<void> {
  const past = [...pastNames, 'until'].join(', ');
  const [key, ...others] = rowColumns.map(({ name }) => name);
  await session.query({
    name: `versions-of-nodes-${schema}`,
    text: `WITH v AS MATERIALIZED (SELECT ${versions.selectList} FROM ${versions.source}),
             stored AS (${insertPast(schema, 'nodes', 'v.since', '(SELECT * FROM v WHERE is_first) v', 's.node = v.node')}),
             known AS (INSERT INTO ${schema}.known_nodes SELECT node FROM v WHERE is_first ON CONFLICT DO NOTHING),
             between_both AS (INSERT INTO ${schema}.nodes_past (${past}) SELECT ${past} FROM v WHERE until IS NOT NULL)
           INSERT INTO ${schema}.nodes AS s (${[key, ...others].join(', ')})
           SELECT ${[key, ...others].join(', ')} FROM v WHERE until IS NULL
           ON CONFLICT (${key}) DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    values: versions.values,
  });
}

export class NodeChanges implements BatchPart {
  constructor(
    private readonly states: ReadonlyMap<string, NodeState>,
    private readonly keepsPast: boolean,
  ) {}

  /** All projectors write the rows in the order of the keys, to prevent deadlocks. */
  async writeRows(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    const changed = [...this.states.values()]
      .filter(({ versions }) => versions.length > 0)
      .sort((a, b) => (a.node < b.node ? -1 : 1));
    const rows = new RowSet('nodes', rowColumns);
    const versions = new RowSet('nodes', versionColumns);
    for (const { node, certname, versions: ofNode } of changed) {
      ofNode.forEach(({ row, since }, index) => {
        const cells = [node, certname, ...nodeFields.map((field) => row[field]), since];
        if (this.keepsPast) versions.push(...cells, index === 0, ofNode[index + 1]?.since ?? null);
        else rows.push(...cells);
      });
    }
    await rows.replace(session, schema, { keepsPast: false });
    if (versions.size > 0) await writeVersions(session, schema, versions);
    onStep('write_nodes');
  }
}
