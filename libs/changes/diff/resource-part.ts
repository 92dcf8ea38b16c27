import { type AstJson, type Fragment, resourceTexts, sql, stringifyAst, table } from '#query';
import { parseAnswer } from '../reading/change-tables';
import type { DiffPart } from './diff-part';
import { changeItem, changeLine, jsonObject, shownValue, signedLine } from './show-change';
import { type ValueChange, valueChanges } from './value-changes';

export interface ResourceChange<Members = AstJson> {
  readonly type: string;
  readonly title: string;
  readonly old?: Members | undefined;
  readonly new?: Members | undefined;
}

/**
 * The members of a resource remain JSON texts. If only one state has the resource, the answer contains its text
 * unchanged.
 */
type FoundResource = ResourceChange<string>;

const parsed = ({ old, new: next, ...named }: FoundResource): ResourceChange => ({
  ...named,
  old: old === undefined ? undefined : parseAnswer(old),
  new: next === undefined ? undefined : parseAnswer(next),
});

export const resourcePart: DiffPart<FoundResource> = {
  name: 'resources',
  summary: 'the resources of the catalogs, with their parameters',
  statement: (a, b) => ({
    ctes: sql`a AS MATERIALIZED (SELECT r.content FROM ${a.table('catalog_resources')} r WHERE r.node = ${a.node}),
      b AS MATERIALIZED (SELECT r.content FROM ${b.table('catalog_resources')} r WHERE r.node = ${b.node}),
      x AS MATERIALIZED (${resources(sql`SELECT content FROM a EXCEPT SELECT content FROM b`)}),
      y AS MATERIALIZED (${resources(sql`SELECT content FROM b EXCEPT SELECT content FROM a`)}),
      differing AS MATERIALIZED (SELECT coalesce(x.type, y.type) AS type, coalesce(x.title, y.title) AS title, x.text AS old, y.text AS new
        FROM x FULL JOIN y ON x.type = y.type AND x.title = y.title)`,
    shown: sql`json_build_array(type, title, old, new)`,
    order: sql`type, title`,
    size: sql`octet_length(concat(type, title)) + coalesce(octet_length(old), 0) + coalesce(octet_length(new), 0)`,
  }),
  read: ([type, title, old, next]) => ({
    type: type as string,
    title: title as string,
    old: (old as string | null) ?? undefined,
    new: (next as string | null) ?? undefined,
  }),
  items: (row) => [itemText(row)],
  patch: (rows) =>
    rows.map(parsed).flatMap(({ type, title, ...row }) => valueChanges(row.old, row.new, [`${type}[${title}]`])),
  lines: (row) => resourceLines(parsed(row)),
};

const resourceText = sql`'{"exported":' || ${resourceTexts.exported} || ',"file":' || ${resourceTexts.file} || ',"line":' || ${resourceTexts.line}
  || ',"tags":' || ${resourceTexts.tags} || ',"parameters":' || ${resourceTexts.parameters} || '}'`;

const resources = (contents: Fragment): Fragment =>
  sql`SELECT rc.type, rc.title, ${resourceText} AS text FROM (${contents}) w JOIN ${table('resource_contents')} rc USING (content)`;

const memberChanges = ({ old, new: next }: ResourceChange): readonly ValueChange[] | undefined =>
  old === undefined || next === undefined ? undefined : valueChanges(old, next);

export function resourceItem(row: ResourceChange): AstJson {
  const { type, title, old, new: next } = row;
  const changes = memberChanges(row);
  return changes === undefined
    ? jsonObject({ change: old === undefined ? 'added' : 'removed', type, title, old, new: next })
    : jsonObject({ change: 'changed', type, title, changes: changes.map(changeItem) });
}

function itemText(row: FoundResource): string {
  const { type, title, old, new: next } = row;
  if (old !== undefined && next !== undefined) return stringifyAst(resourceItem(parsed(row)));
  const [change, member, text] = old === undefined ? ['added', 'new', next] : ['removed', 'old', old];
  return `{"change":"${change}","type":${JSON.stringify(type)},"title":${JSON.stringify(title)},"${member}":${text}}`;
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
