import { type Fragment, sql } from '#query';

/** Most characters of a value as JSON. No user chooses a longer value from a list. */
const longestValue = sql`1000`;

/**
 * Returns the members `values`, `others` and `missing` of a JSON object: the most frequent values, the number of nodes with others,
 * and of nodes without a value. `counted` selects `value` (jsonb) and `nodes`, and may select further columns, which `shown` shows.
 */
export function valueCounts({
  counted,
  total,
  most,
  shown,
}: {
  readonly counted: Fragment;
  /** The number of nodes. */
  readonly total: Fragment;
  readonly most: Fragment;
  /** The object of a value. */
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
