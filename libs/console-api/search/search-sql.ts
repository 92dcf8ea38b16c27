import type { Limits } from '#limits';
import {
  type AstJson,
  bind,
  bindPlanIndependent,
  type Fragment,
  nodesWithAny,
  NumberText,
  readFactPath,
  sql,
  table,
} from '#query';
import { baseNodes } from '../nodes/chosen-nodes';
import type { NodeChoice } from '../nodes/node-choice';
import { statusName } from '../nodes/node-status';

export const hitKinds = ['node', 'fact', 'class', 'package'] as const;

/**
 * Largest number of matching names of which the statement checks whether they are in use. This is enough, because most
 * names are in use: unused names are deleted within hours.
 */
const mostMatches = sql`500`;

export function searchSql(q: string, limit: number, choice: NodeChoice, limits: Limits): Fragment {
  const wanted = sql`lower(${bind(q, 'text')})`;
  const most = bindPlanIndependent(String(limit), 'bigint');
  const contains = (name: Fragment): Fragment => sql`strpos(lower(${name}), ${wanted}) > 0`;
  const order = sql`strpos(lower(name), ${wanted}) > 1, length(name), name`;
  // `used` is the condition that a name is in use. PostgreSQL checks it only for the first `mostMatches` names. Without
  // OFFSET 0, PostgreSQL would make a join, which reads all rows if the request asks about the past.
  const names = (
    kind: Fragment,
    kindOrder: Fragment,
    matching: Fragment,
    used: Fragment,
  ): Fragment => sql`(SELECT ${kind} AS kind,
      ${kindOrder} AS kind_order, name, NULL::int AS status, row_number() OVER (ORDER BY ${order}) AS nth FROM (
      SELECT DISTINCT name FROM (SELECT * FROM (${matching}) m ORDER BY ${order} LIMIT ${mostMatches}) m WHERE ${used}) u
    ORDER BY ${order} LIMIT ${most})`;
  const ofFact = nodesWithFact(q, limits);
  const isNode =
    ofFact === undefined ? contains(sql`certname`) : sql`(${contains(sql`certname`)} OR node IN (${ofFact}))`;
  return sql`WITH ${baseNodes(choice)}, hits AS (
    (SELECT 'node' AS kind, 0 AS kind_order, name, status, row_number() OVER (ORDER BY ${order}) AS nth
      FROM (SELECT certname AS name, status FROM base WHERE ${isNode}) n ORDER BY ${order} LIMIT ${most})
    UNION ALL ${names(sql`'fact'`, sql`1`, sql`SELECT ${dotted} AS name, p.path FROM ${table('fact_paths')} p WHERE p.listed AND ${contains(dotted)}`, sql`EXISTS (SELECT FROM ${table('fact_contents')} c WHERE c.path = m.path OFFSET 0)`)}
    UNION ALL ${names(sql`'class'`, sql`2`, sql`SELECT r.title AS name, r.content FROM ${table('resource_contents')} r WHERE "left"(r.type, 200) = 'Class' AND r.type = 'Class' AND ${contains(sql`r.title`)}`, sql`EXISTS (SELECT FROM ${table('catalog_resources')} c WHERE c.content = m.content OFFSET 0)`)}
    UNION ALL ${names(sql`'package'`, sql`3`, sql`SELECT p.name, p.package FROM ${table('packages')} p WHERE ${contains(sql`p.name`)}`, sql`EXISTS (SELECT FROM ${table('package_inventory')} i WHERE i.packages @> ARRAY[m.package])`)})
    SELECT json_build_object('hits', coalesce(json_agg(json_build_object('kind', kind, 'name', "left"(name, 1000), 'status', ${statusName(sql`status`)})
      ORDER BY kind_order, nth), '[]'))::text AS row FROM hits`;
}

/**
 * SQL for a path whose names are separated by dots. The names need no quotes, because only paths with plain names are
 * listed.
 */
const dotted = sql`replace(p.spelled, '#~', '.')`;

function nodesWithFact(q: string, limits: Limits): Fragment | undefined {
  const at = q.indexOf('=');
  if (at < 1 || at === q.length - 1) return undefined;
  const { keys } = readFactPath(q.slice(0, at).trim(), limits);
  const text = q.slice(at + 1).trim();
  return nodesWithAny(keys, valuesOf(text));
}

/** Returns the values that a user can mean by the text. For example, `12` can be a text or a number. */
function valuesOf(text: string): AstJson[] {
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  return /^-?(0|[1-9]\d{0,300})(\.\d{1,300})?$/.test(text) ? [text, new NumberText(text)] : [text];
}
