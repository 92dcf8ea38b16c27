import { type Fragment, sql } from '#query';

/** Largest number of characters that a value may have as JSON. Users do not choose longer values from a list. */
const longestValue = sql`1000`;

/**
 * Makes the members `values`, `others` and `missing` of a JSON object. `values` contains the most frequent values.
 * `others` is the number of nodes with other values, and `missing` is the number of nodes without a value. `counted` is
 * a query that selects `value` (jsonb) and `nodes`, and can select further columns for `shown`.
 */
export function valueCounts({
  counted,
  total,
  most,
  shown,
}: {
  readonly counted: Fragment;
  /** SQL for the number of all nodes. */
  readonly total: Fragment;
  readonly most: Fragment;
  /** SQL for the JSON object of one value. */
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
