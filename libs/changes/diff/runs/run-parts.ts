import { type AstJson, type Fragment, sql, stringifyAst, table } from '#query';
import type { DiffPart } from '../diff-part';
import { documentOf } from '../fact-part';
import { changeItem, changeLine, jsonObject, shownValue, signedLine } from '../show-change';
import { type ValueChange, valueChanges } from '../value-changes';

export interface Run {
  readonly report: Fragment;
}

const reportPart: DiffPart<readonly ValueChange[], Run> = {
  name: 'report',
  summary: 'status, environment, versions and flags of the reports',
  statement: (a, b) => ({
    ctes: sql`differing AS MATERIALIZED (SELECT o.text AS old, n.text AS new FROM (${reportText(a)}) o, (${reportText(b)}) n
      WHERE o.text <> n.text)`,
    shown: sql`json_build_array(old, new)`,
    order: sql`old`,
    size: sql`octet_length(old) + octet_length(new)`,
  }),
  read: ([old, next]) => valueChanges(documentOf(old), documentOf(next)),
  items: (changes) => changes.map((change) => stringifyAst(changeItem(change))),
  patch: (rows) => rows.flat(),
  lines: (changes) => changes.map((change) => changeLine(change)),
};

const reportText = ({ report }: Run): Fragment =>
  sql`SELECT json_build_object('status', r.status, 'noop', r.noop, 'noop_pending', r.noop_pending,
      'corrective_change', r.corrective_change, 'environment', e.name, 'configuration_version', r.configuration_version,
      'code_id', r.code_id, 'agent_version', r.agent_version, 'cached_catalog_status', r.cached_catalog_status)::text AS text
    FROM ${table('reports')} r LEFT JOIN ${table('environments')} e USING (environment) WHERE r.report = ${report}`;

interface EventChange {
  readonly type: string;
  readonly title: string;
  readonly property: string | null;
  readonly number: string;
  readonly old?: AstJson | undefined;
  readonly new?: AstJson | undefined;
}

const eventPart: DiffPart<EventChange, Run> = {
  name: 'events',
  summary: 'the events of the reports',
  statement: (a, b) => ({
    ctes: sql`x AS MATERIALIZED (${events(a)}), y AS MATERIALIZED (${events(b)}),
      differing AS MATERIALIZED (SELECT coalesce(x.type, y.type) AS type, coalesce(x.title, y.title) AS title,
          coalesce(x.property, y.property) AS property, coalesce(x.number, y.number) AS number, x.text AS old, y.text AS new
        FROM x FULL JOIN y ON x.type = y.type AND x.title = y.title AND x.property = y.property AND x.number = y.number
        WHERE x.text IS DISTINCT FROM y.text)`,
    shown: sql`json_build_array(type, title, nullif(property, ''), number::text, old, new)`,
    order: sql`type, title, property, number`,
    size: sql`octet_length(concat(type, title, property, old, new))`,
  }),
  read: ([type, title, property, number, old, next]) => ({
    type: type as string,
    title: title as string,
    property: property as string | null,
    number: number as string,
    old: documentOf(old),
    new: documentOf(next),
  }),
  items: ({ type, title, property, old, new: next }) => [
    stringifyAst(
      jsonObject({
        change: changeOf(old, next),
        resource_type: type,
        resource_title: title,
        property,
        old,
        new: next,
      }),
    ),
  ],
  patch: (rows) =>
    rows.flatMap(({ number, old, new: next, ...of }) =>
      valueChanges(old, next, [`${nameOf(of)}${number === '1' ? '' : `#${number}`}`]),
    ),
  lines: ({ old, new: next, ...of }) => {
    const values = [old, next].filter((value) => value !== undefined).map(shownValue);
    return [`${signedLine(changeOf(old, next), nameOf(of))}: ${values.join(' → ')}`];
  },
};

const events = ({ report }: Run): Fragment =>
  sql`SELECT e.resource_type AS type, e.resource_title AS title, coalesce(e.property, '') AS property,
      row_number() OVER (PARTITION BY e.resource_type, e.resource_title, coalesce(e.property, '') ORDER BY e.ordinal) AS number,
      json_build_object('status', e.status, 'old_value', e.old_value::json, 'new_value', e.new_value::json, 'message', e.message,
        'corrective_change', e.corrective_change)::text AS text
    FROM ${table('resource_events')} e WHERE e.report = ${report}`;

const changeOf = (old: AstJson | undefined, next: AstJson | undefined): ValueChange['change'] =>
  old === undefined ? 'added' : next === undefined ? 'removed' : 'changed';

const nameOf = ({ type, title, property }: Pick<EventChange, 'type' | 'title' | 'property'>): string =>
  `${type}[${title}]${property === null ? '' : `/${property}`}`;

export const runParts: readonly DiffPart<unknown, Run>[] = [reportPart, eventPart] as DiffPart<unknown, Run>[];
