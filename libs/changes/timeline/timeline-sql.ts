import {
  all,
  bind,
  bindPlanIndependent,
  empty,
  type Fragment,
  key64,
  type Moment,
  sql,
  type Step,
  table,
  timestamp,
} from '#query';
import type { Focus } from './focus';
import type { PageEnd, TimelineRequest } from './timeline-request';
import type { TimelineKind } from './timeline-entry';

/**
 * Selects the keys of a page of entries, the newest first. The entries of one node are in the order of its records. The
 * entries of all nodes are in the order of receipt. A row is a JSON list of [received at, partition, offset, node,
 * kind]. If there are more entries than `limit`, selects one row more than `limit`.
 */
export function timelineSql({ certname, kinds, statuses, from, to, focus, limit, after }: TimelineRequest): Fragment {
  const node = certname === undefined ? undefined : bindPlanIndependent(key64(certname), 'bigint');
  const conditions = [
    ...(node === undefined ? [] : [sql`t.node = ${node}`]),
    ...(kinds === undefined ? [] : [sql`t.kind = ANY (${bind(kinds, 'text[]')})`]),
    ...(statuses === undefined ? [] : [sql`t.status = ANY (${bind(statuses, 'text[]')})`]),
    ...(from === undefined ? [] : [sql`t.received_at >= ${timeSql(from)}`]),
    ...(to === undefined ? [] : [sql`t.received_at < ${timeSql(to)}`]),
    ...(after === undefined ? [] : [isAfter(after, node !== undefined)]),
  ];
  const rows =
    focus === undefined
      ? sql`${table('timeline')} t`
      : sql`(${focused(focus, node)}) v JOIN ${table('timeline')} t ON t.node = v.node AND t.log_offset = v.log_offset
          AND t.kind = ${bind(kindOf[focus.kind], 'text')}`;
  const order =
    node === undefined
      ? sql`t.received_at DESC, t.log_partition DESC, t.log_offset DESC, t.node DESC, t.kind DESC`
      : sql`t.log_offset DESC, t.kind DESC`;
  return sql`SELECT coalesce(json_agg(json_build_array(${timestamp(sql`p.received_at`).shown()}, p.log_partition, p.log_offset, p.node::text, p.kind)
      ORDER BY p.ordinal), '[]')::text AS row
    FROM (SELECT t.received_at, t.log_partition, t.log_offset, t.node, t.kind, row_number() OVER (ORDER BY ${order}) AS ordinal
      FROM ${rows} WHERE ${all(conditions)} ORDER BY ${order} LIMIT ${bindPlanIndependent(String(limit), 'bigint')} + 1) p`;
}

const kindOf: Readonly<Record<Focus['kind'], TimelineKind>> = {
  path: 'facts',
  resource: 'catalog',
  package: 'packages',
};

const timeSql = (moment: Moment): Fragment =>
  moment.kind === 'relative'
    ? sql`now() + make_interval(secs => ${bind(String(moment.seconds), 'numeric')}::double precision)`
    : bind(moment.time, 'timestamptz');

function isAfter({ receivedAt, partition, offset, node, kind }: PageEnd, isOfNode: boolean): Fragment {
  const at = bind(offset, 'bigint');
  const last = bind(kind, 'text');
  if (isOfNode) return sql`(t.log_offset, t.kind) < (${at}, ${last})`;
  const received = bind(receivedAt, 'timestamptz');
  return sql`t.received_at <= ${received} AND (t.received_at, t.log_partition, t.log_offset, t.node, t.kind)
    < (${received}, ${bind(partition, 'bigint')}, ${at}, ${bind(node, 'bigint')}, ${last})`;
}

/**
 * Selects the nodes and offsets of the records that changed one thing. Finds the versions of this thing with indexes,
 * and reads no versions of other things.
 */
function focused(focus: Focus, node: Fragment | undefined): Fragment {
  const ofNode = node === undefined ? empty : sql` AND r.node = ${node}`;
  const versions = (name: string, key: Fragment): Fragment =>
    sql`SELECT r.node, r.since AS log_offset FROM ${table(name)} r WHERE ${key}${ofNode}
      UNION SELECT r.node, r.since FROM ${table(`${name}_past`)} r WHERE ${key}${ofNode}
      UNION SELECT r.node, r.until FROM ${table(`${name}_past`)} r WHERE ${key}${ofNode}`;
  switch (focus.kind) {
    case 'path': {
      const { steps, keys } = focus.path;
      const fact = bind(keys.fact, 'bigint');
      return steps.length === 1
        ? versions('facts', sql`r.fact = ${fact}`)
        : versions(
            'fact_contents',
            sql`r.path = ANY (ARRAY(SELECT p.path FROM ${table('fact_paths')} p WHERE p.fact = ${fact} AND ${isBelow(steps)}))`,
          );
    }
    case 'resource': {
      const [type, title] = [bind(focus.type, 'text'), bind(focus.title, 'text')];
      const contents = sql`r.content = ANY (ARRAY(SELECT c.content FROM ${table('resource_contents')} c
        WHERE "left"(c.type, 200) = "left"(${type}, 200) AND "left"(c.title, 200) = "left"(${title}, 200)
          AND c.type = ${type} AND c.title = ${title}))`;
      return versions('catalog_resources', contents);
    }
    case 'package':
      return packageMoves(bind(focus.name, 'text'), ofNode);
  }
}

/**
 * Returns SQL that is true if a path is equal to the given path or below it. Compares indexes of lists as texts, like
 * keys.
 */
const isBelow = (steps: readonly Step[]): Fragment =>
  all(
    steps.map((step, index) => {
      const text = step.kind === 'index' ? String(step.index) : step.kind === 'key' ? step.key : '';
      return sql`p.elements ->> ${bind(index, 'numeric')}::int = ${bind(text, 'text')}`;
    }),
  );

/**
 * Selects the records that added or removed a version of the package. Reads only those inventories that contain the
 * package.
 */
function packageMoves(name: Fragment, ofNode: Fragment): Fragment {
  const has = sql`r.packages @> ARRAY[k.package]${ofNode}`;
  return sql`WITH kept AS MATERIALIZED (SELECT k.package, v.* FROM (SELECT p.package FROM ${table('packages')} p
      WHERE "left"(p.name, 200) = "left"(${name}, 200) AND p.name = ${name}) k
    CROSS JOIN LATERAL (SELECT r.node, r.since, NULL::bigint AS until FROM ${table('package_inventory')} r WHERE ${has}
      UNION ALL SELECT r.node, r.since, r.until FROM ${table('package_inventory_past')} r WHERE ${has}) v)
    SELECT c.node, c.since AS log_offset FROM kept c WHERE NOT EXISTS (
      SELECT FROM kept b WHERE b.package = c.package AND b.node = c.node AND b.until = c.since)
    UNION SELECT c.node, c.until FROM kept c WHERE c.until IS NOT NULL AND NOT EXISTS (
      SELECT FROM kept b WHERE b.package = c.package AND b.node = c.node AND b.since = c.until)`;
}

export const isVolatileSql = (name: string): Fragment =>
  sql`SELECT 'volatile' AS row FROM ${table('volatile_facts')} v WHERE v.name = ${bind(name, 'text')}`;

export const isKnownSql = (certname: string): Fragment => {
  const node = bindPlanIndependent(key64(certname), 'bigint');
  return sql`SELECT 'known' AS row WHERE EXISTS (SELECT FROM ${table('nodes')} n WHERE n.node = ${node})
    OR EXISTS (SELECT FROM ${table('nodes_past')} n WHERE n.node = ${node})`;
};
