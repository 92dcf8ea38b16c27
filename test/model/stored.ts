/** Reads the rows of a node in the read tables of a generation, in the form of the model. */
import type { Database } from '#database';
import type { NodeView } from './model';

const millis = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const list = (rows: string): string =>
  `COALESCE((SELECT jsonb_agg(v ORDER BY v::text COLLATE "C") FROM (${rows}) x(v)), '[]')`;
const map = (rows: string): string => `COALESCE((SELECT jsonb_object_agg(k, v) FROM (${rows}) x(k, v)), '{}')`;
const named = (table: string, key: string): string =>
  `(SELECT name FROM {schema}.${table} s WHERE s.${table.slice(0, -1)} = ${key})`;
/** A row as JSON: unchanged columns, times with milliseconds, and the listed expressions. */
function row(
  columns: readonly string[],
  times: readonly string[],
  further: Readonly<Record<string, string>> = {},
): string {
  const pairs = [
    ...columns.map((column) => [column, `t.${column}`]),
    ...times.map((column) => [column, millis(`t.${column}`)]),
    ...Object.entries(further),
  ];
  // jsonb_build_object accepts at most a hundred arguments.
  const halves = [pairs.slice(0, 20), pairs.slice(20)].map(
    (half) => `jsonb_build_object(${half.map(([name, value]) => `'${name}', ${value}`).join(', ')})`,
  );
  return `(${halves.join(' || ')})`;
}

const place = ['log_partition', 'log_offset'];
const shared = { environment: named('environments', 't.environment'), producer: named('producers', 't.producer') };

const nodeRow = row(
  [
    'certname',
    'catalog_environment',
    'facts_environment',
    'report_environment',
    'latest_report_status',
    'latest_report_noop',
    'latest_report_noop_pending',
    'latest_report_corrective_change',
    'latest_report_hash',
    'latest_report_job_id',
    'cached_catalog_status',
    'expires_facts',
    ...place,
  ],
  [
    'deactivated',
    'expired',
    'expired_cutoff',
    'catalog_timestamp',
    'facts_timestamp',
    'report_timestamp',
    'expires_facts_updated',
    'catalog_producer_timestamp',
    'facts_producer_timestamp',
    'report_producer_timestamp',
    'inputs_producer_timestamp',
  ],
);
const catalogRow = row(
  ['hash', 'version', 'transaction_uuid', 'catalog_uuid', 'code_id', 'job_id', ...place],
  ['timestamp', 'producer_timestamp'],
  shared,
);
const reportRow = row(
  [
    'status',
    'noop',
    'noop_pending',
    'corrective_change',
    'agent_version',
    'report_format',
    'configuration_version',
    'transaction_uuid',
    'catalog_uuid',
    'code_id',
    'cached_catalog_status',
    'job_id',
    'type',
    'logs',
    'metrics',
    'resources',
    ...place,
  ],
  ['start_time', 'end_time', 'producer_timestamp', 'receive_time'],
  shared,
);
const eventRow = row(
  [
    'status',
    'resource_type',
    'resource_title',
    'property',
    'name',
    'message',
    'file',
    'line',
    'containing_class',
    'containment_path',
    'corrective_change',
  ],
  ['timestamp'],
  { new_value: `NULLIF(t.new_value, 'null')::jsonb`, old_value: `NULLIF(t.old_value, 'null')::jsonb` },
);
const counted = ['successes', 'failures', 'noops', 'skips', 'corrective_successes', 'corrective_noops'];

const pairs = (...columns: string[]): string => `jsonb_build_array(${columns.join(', ')})`;
const edgeColumns = ['source_types', 'source_titles', 'target_types', 'target_titles', 'relationships'];

const question = `
SELECT jsonb_build_object(
  'node', ${nodeRow},
  'factset', (SELECT ${row(['hash', ...place], ['timestamp', 'producer_timestamp'], shared)} FROM {schema}.factsets t WHERE t.node = n.node),
  'facts', ${map('SELECT f.name, f.value FROM {schema}.facts f WHERE f.node = n.node')},
  'leaves', ${list(`SELECT ${pairs('p.elements', 'c.type::text', 'c.value')} FROM {schema}.fact_contents c
                    JOIN {schema}.fact_paths p USING (path) WHERE c.node = n.node`)},
  'packages', ${list(`SELECT ${pairs('p.name', 'p.version', 'p.provider')} FROM {schema}.package_inventory i
                      CROSS JOIN unnest(i.packages) AS k(package) JOIN {schema}.packages p USING (package) WHERE i.node = n.node`)},
  'inputs', (SELECT ${row(['catalog_uuid', ...place], ['producer_timestamp'], {
    inputs: list(`SELECT ${pairs('i.type', 'i.name')} FROM unnest(t.types, t.names) AS i(type, name)`),
  })} FROM {schema}.catalog_inputs t WHERE t.node = n.node),
  'catalog', (SELECT ${catalogRow} FROM {schema}.catalogs t WHERE t.node = n.node),
  'resources', ${list(
    `SELECT ${pairs(
      'r.type',
      'r.title',
      'r.exported',
      'r.file',
      'r.line',
      'to_jsonb(r.tags)',
      'r.parameters',
    )} FROM {schema}.catalog_resources c JOIN {schema}.resource_contents r USING (content) WHERE c.node = n.node`,
  )},
  'edges', ${list(`SELECT ${pairs('e.a', 'e.b', 'e.c', 'e.d', 'e.e')} FROM {schema}.catalog_edges t
                   CROSS JOIN unnest(${edgeColumns.map((column) => `t.${column}`).join(', ')}) AS e(a, b, c, d, e) WHERE t.node = n.node`)},
  'latestReport', (SELECT ${row([], ['producer_timestamp'], { hash: 'r.hash' }).replace('t.producer', 'l.producer')}
                   FROM {schema}.latest_reports l JOIN {schema}.reports r USING (report) WHERE l.node = n.node),
  'reports', ${map(`SELECT t.hash, ${reportRow} FROM {schema}.reports t WHERE t.node = n.node`)},
  'events', ${map(`SELECT r.hash, jsonb_agg(${eventRow} ORDER BY t.ordinal) FROM {schema}.resource_events t
                   JOIN {schema}.reports r ON r.report = t.report WHERE t.node = n.node GROUP BY 1`)},
  'counts', ${map(`SELECT r.hash || ' ' || COALESCE(t.containing_class, 'null'), ${row(counted, [])}
                   FROM {schema}.event_counts t JOIN {schema}.reports r USING (report) WHERE t.node = n.node`)}
)::text AS view
FROM {schema}.nodes n JOIN {schema}.nodes t USING (node) WHERE n.certname = $1`;

/** Returns the rows of the node, or undefined if there are none. `schema`: the schema of a generation. */
export async function storedNode(db: Database, schema: string, certname: string): Promise<NodeView | undefined> {
  const [found] = await db.query<{ view: string }>({
    text: question.replaceAll('{schema}', schema),
    values: [certname],
  });
  return found && (JSON.parse(found.view) as NodeView);
}

/** Certnames of the nodes with a prefix, sorted. */
export async function storedCertnames(db: Database, schema: string, prefix: string): Promise<string[]> {
  const rows = await db.query<{ certname: string }>({
    text: `SELECT certname FROM ${schema}.nodes WHERE starts_with(certname, $1) ORDER BY 1`,
    values: [prefix],
  });
  return rows.map(({ certname }) => certname);
}

/** The same rows without the order that PostgreSQL and JavaScript define differently, or that is not guaranteed. */
export function unordered(view: NodeView): NodeView {
  const sorted = <T>(values: readonly T[]): T[] =>
    [...values].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const { inputs } = view;
  return {
    ...view,
    leaves: sorted(view.leaves),
    packages: sorted(view.packages),
    resources: sorted(view.resources),
    edges: sorted(view.edges),
    inputs: inputs && { ...(inputs as object), inputs: sorted((inputs as { inputs: [] }).inputs) },
  };
}
