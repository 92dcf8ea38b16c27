import { type AstJson, type Fragment, sql, stringifyAst } from '#query';
import { parseAnswer } from '../reading/change-tables';
import type { DiffColumns, DiffPart } from './diff-part';
import type { Side } from './side';
import { changeItem, changeLine } from './show-change';
import { type ValueChange, valueChanges } from './value-changes';

/** Compares values inside facts, such as `os.release.full`. */
export const factPart: DiffPart<readonly ValueChange[]> = {
  name: 'facts',
  summary: 'the values in facts, by their paths',
  statement: (a, b) => ({
    ctes: sql`a AS MATERIALIZED (${factTexts(a)}), b AS MATERIALIZED (${factTexts(b)}),
      differing AS MATERIALIZED (SELECT coalesce(a.name, b.name) AS name, a.text AS old, b.text AS new
        FROM a FULL JOIN b USING (fact) WHERE a.text IS DISTINCT FROM b.text)`,
    shown: sql`json_build_array(name, old, new)`,
    order: sql`name`,
    size: sql`octet_length(name) + coalesce(octet_length(old), 0) + coalesce(octet_length(new), 0)`,
  }),
  read: ([name, old, next]) => valueChanges(documentOf(old), documentOf(next), [name as string]),
  items: (changes) => changes.map((change) => stringifyAst(changeItem(change))),
  patch: (rows) => rows.flat(),
  lines: (changes) => changes.map((change) => changeLine(change)),
};

export const documentOf = (column: DiffColumns[number] | undefined): AstJson | undefined =>
  typeof column === 'string' ? parseAnswer(column) : undefined;

const factTexts = (side: Side): Fragment =>
  sql`SELECT f.fact, f.name, coalesce(f.spelled, f.value::text) AS text FROM ${side.table('facts')} f WHERE f.node = ${side.node}`;
