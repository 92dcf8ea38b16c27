/**
 * Parts of the query language that PuppetDB refuses. NODELEDGER_STRICT_QUERIES=true turns all of them off: a `Language`
 * without an addition refuses queries that use this addition, as PuppetDB does.
 */
export const additions = {
  'relative-times': 'times relative to now: `"2 hours ago"`, `now() - 2h`',
  'ignore-case': 'regular expressions that ignore case: `~*`',
  'grouped-order': '`order by`, `limit` and `offset` after `group by` in PQL, and functions in `order by`',
  having: 'conditions on groups: `group by value having count() > 1`',
  metrics: 'metrics of reports as fields: `metrics.time.config_retrieval`',
  distinct: '`distinct` columns, and the function `count_distinct`',
  versions: 'comparisons of versions: `version(version) < version("3.0.9")`',
  'as-of':
    'queries about an earlier time: the parameter `as_of`, and in PQL `nodes { … } as of "2 days ago"` ([history.md](history.md))',
  formats: 'answers as CSV and NDJSON: the parameter `format`, and the header `Accept`',
} as const;

export type Addition = keyof typeof additions;
