import { type AstJson, type Fragment, sql, table } from '#query';
import type { DiffPart } from './diff-part';
import { changeItem, changeLine, jsonObject, shownValue, signedLine } from './show-change';
import { type ValueChange, valueChanges } from './value-changes';

/** A resource that one state lacks, or that differs: its type and title, and its members before and after. */
export interface ResourceChange {
  readonly type: string;
  readonly title: string;
  readonly old?: AstJson | undefined;
  readonly new?: AstJson | undefined;
}

/** Compares resources with the same type and title. */
export const resourcePart: DiffPart<ResourceChange> = {
  name: 'resources',
  summary: 'the resources of the catalogs, with their parameters',
  statement: (a, b) => ({
    ctes: sql`a AS MATERIALIZED (SELECT r.content FROM ${a.table('catalog_resources')} r WHERE r.node = ${a.node}),
      b AS MATERIALIZED (SELECT r.content FROM ${b.table('catalog_resources')} r WHERE r.node = ${b.node}),
      x AS MATERIALIZED (${resources(sql`SELECT content FROM a EXCEPT SELECT content FROM b`)}),
      y AS MATERIALIZED (${resources(sql`SELECT content FROM b EXCEPT SELECT content FROM a`)}),
      differing AS MATERIALIZED (SELECT coalesce(x.type, y.type) AS type, coalesce(x.title, y.title) AS title, x.text AS old, y.text AS new
        FROM x FULL JOIN y ON x.type = y.type AND x.title = y.title)`,
    shown: sql`json_build_array(type, title, old IS NOT NULL, new IS NOT NULL, old::json, new::json)`,
    order: sql`type, title`,
    size: sql`length(type) + length(title) + coalesce(length(old), 0) + coalesce(length(new), 0)`,
  }),
  read: ([type, title, hasOld, hasNew, old, next]) => ({
    type: type as string,
    title: title as string,
    old: hasOld === true ? old : undefined,
    new: hasNew === true ? next : undefined,
  }),
  items: (row) => [resourceItem(row)],
  patch: (rows) => rows.flatMap(({ type, title, ...row }) => valueChanges(row.old, row.new, [`${type}[${title}]`])),
  lines: resourceLines,
};

/** The members of a resource besides type and title, as JSON text. */
export const resourceText = sql`json_build_object('exported', rc.exported, 'file', rc.file, 'line', rc.line,
  'tags', rc.tags_text::json, 'parameters', rc.parameters_text::json)::text`;

const resources = (contents: Fragment): Fragment =>
  sql`SELECT rc.type, rc.title, ${resourceText} AS text FROM (${contents}) w JOIN ${table('resource_contents')} rc USING (content)`;

/** Returns the changes of the members of a resource that both states have. */
const memberChanges = ({ old, new: next }: ResourceChange): readonly ValueChange[] | undefined =>
  old === undefined || next === undefined ? undefined : valueChanges(old, next);

export function resourceItem(row: ResourceChange): AstJson {
  const { type, title, old, new: next } = row;
  const changes = memberChanges(row);
  return changes === undefined
    ? jsonObject({ change: old === undefined ? 'added' : 'removed', type, title, old, new: next })
    : jsonObject({ change: 'changed', type, title, changes: changes.map(changeItem) });
}

function resourceLines(row: ResourceChange): readonly string[] {
  const { type, title, old, new: next } = row;
  const changes = memberChanges(row);
  const name = `${type}[${title}]`;
  if (changes !== undefined)
    return [signedLine('changed', name), ...changes.map((change) => changeLine(change, '    '))];
  const whole = old ?? next;
  const parameters = whole instanceof Map ? whole.get('parameters') : undefined;
  return [`${signedLine(old === undefined ? 'added' : 'removed', name)}: ${shownValue(parameters as AstJson)}`];
}
