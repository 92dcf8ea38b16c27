import { type Fragment, sql } from '#query';

/**
 * Largest number of characters of a listed value. Longer values count as `others`, because users do not choose them
 * from a list.
 */
const longestValue = sql`1000`;

/**
 * Returns SQL for the members `values`, `others` and `missing` of a JSON object. `others` is the number of nodes whose
 * value is not in `values`, and `missing` is the number of nodes without a value. `counted` is a query that selects
 * `value` (jsonb), `nodes`, and the columns that `shown` needs.
 */
export function valueCounts({
  counted,
  total,
  most,
  shown,
}: {
  readonly counted: Fragment;
  readonly total: Fragment;
  readonly most: Fragment;
  /** SQL for the JSON of one value. */
  readonly shown: Fragment;
}): { readonly ctes: Fragment; readonly members: Fragment } {
  return {
    ctes: sql`counted AS (SELECT * FROM (${counted}) c WHERE value IS NOT NULL),
      shown AS (SELECT * FROM counted WHERE length(value::text) <= ${longestValue} ORDER BY nodes DESC, value LIMIT ${most})`,
    members: sql`'values', coalesce((SELECT json_agg(${shown} ORDER BY nodes DESC, value) FROM shown), '[]'),
      'others', coalesce((SELECT sum(nodes) FROM counted), 0) - coalesce((SELECT sum(nodes) FROM shown), 0),
      'missing', ${total} - coalesce((SELECT sum(nodes) FROM counted), 0)`,
  };
}
