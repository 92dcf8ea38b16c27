import { type Fragment, sql } from '#query';
import type { DiffPart } from './diff-part';
import type { Side } from './side';
import { changeItem, changeLine } from './show-change';
import { type ValueChange, valueChanges } from './value-changes';

/** Compares facts by the values in them: `os.release.full`. */
export const factPart: DiffPart<readonly ValueChange[]> = {
  name: 'facts',
  summary: 'the values in facts, by their paths',
  statement: (a, b) => ({
    ctes: sql`a AS MATERIALIZED (${factTexts(a)}), b AS MATERIALIZED (${factTexts(b)}),
      differing AS MATERIALIZED (SELECT coalesce(a.name, b.name) AS name, a.text AS old, b.text AS new
        FROM a FULL JOIN b USING (fact) WHERE a.text IS DISTINCT FROM b.text)`,
    shown: sql`json_build_array(name, old IS NOT NULL, new IS NOT NULL, old::json, new::json)`,
    order: sql`name`,
    size: sql`length(name) + coalesce(length(old), 0) + coalesce(length(new), 0)`,
  }),
  read: ([name, hasOld, hasNew, old, next]) =>
    valueChanges(hasOld === true ? old : undefined, hasNew === true ? next : undefined, [name as string]),
  items: (changes) => changes.map(changeItem),
  patch: (rows) => rows.flat(),
  lines: (changes) => changes.map((change) => changeLine(change)),
};

const factTexts = (side: Side): Fragment =>
  sql`SELECT f.fact, f.name, coalesce(f.spelled, f.value::text) AS text FROM ${side.table('facts')} f WHERE f.node = ${side.node}`;
