import { arrayLiteral, type Database, type Session } from '#database';
import type { BatchPart } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { key64 } from '../keys';
import { newNode, type NodeRow, type NodeState } from '../node-state';
import { CopyRows } from '../copy-rows';
import { insertPast } from '../history/move-to-past';
import { RowSet } from '../row-set';
import { nodeColumns } from './node-columns';

/** In the order of writing. */
const fields = Object.entries(nodeColumns).map(([field, column]) => ({ ...column, field: field as keyof NodeRow }));

/** The past of a node has no position of its state, which only snapshots of the log read. */
const pastFields = fields.filter(({ field }) => field !== 'logPartition' && field !== 'logOffset');
const nodeColumn = { name: 'node', type: 'bigint' };
const certnameColumn = { name: 'certname', type: 'text' };
const sinceColumn = { name: 'since', type: 'bigint' };
const pastColumns = [nodeColumn, certnameColumn, ...pastFields, sinceColumn, { name: 'until', type: 'bigint' }];

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

/** Loads the stored states of nodes. A node without a row starts empty. */
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

/** Writes the rows of `nodes` that the records of a batch change. */
export class NodeChanges implements BatchPart {
  constructor(
    private readonly states: ReadonlyMap<string, NodeState>,
    private readonly keepsPast: boolean,
  ) {}

  /** Writes the changed rows in key order, which is the lock order of all projectors. */
  async writeRows(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    const changed = [...this.states.values()]
      .filter(({ versions }) => versions.length > 0)
      .sort((a, b) => (a.node < b.node ? -1 : 1));
    const ended = new RowSet('nodes', [nodeColumn, sinceColumn]);
    const between = new CopyRows('nodes_past', pastColumns);
    const rows = new RowSet('nodes', [nodeColumn, certnameColumn, ...fields, sinceColumn]);
    for (const { node, certname, versions } of changed) {
      ended.push(node, versions[0]?.since ?? null);
      versions.forEach(({ row, since }, index) => {
        const until = versions[index + 1]?.since;
        if (until === undefined) rows.push(node, certname, ...fields.map(({ field }) => row[field]), since);
        else between.push(node, certname, ...pastFields.map(({ field }) => row[field]), since, until);
      });
    }
    if (this.keepsPast && ended.size > 0) {
      await session.query({
        text: insertPast(schema, 'nodes', 't.since::bigint', ended.source, 's.node = t.node::bigint'),
        values: ended.values,
      });
      await between.write(session, schema);
    }
    await rows.replace(session, schema, { keepsPast: false });
    onStep('write_nodes');
  }
}
