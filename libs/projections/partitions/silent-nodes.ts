/** SQL: whether the node `n` is active, may expire, and has sent nothing since the time of the parameter. As `foldNodeExpiry`. */
export const isSilent = (cutoff: string): string =>
  `n.deactivated IS NULL AND n.expired IS NULL AND n.expires_facts
   AND (greatest(n.catalog_producer_timestamp, n.facts_producer_timestamp, n.report_producer_timestamp,
                 n.inputs_producer_timestamp, n.expires_facts_updated) < ${cutoff}::timestamptz) IS NOT FALSE`;

/** SQL: whether the node `n` was deactivated or expired before the time of the parameter. As `foldNodePurge`. */
export const isAway = (cutoff: string): string =>
  `(n.deactivated < ${cutoff}::timestamptz OR n.expired < ${cutoff}::timestamptz)`;

/** SQL: the order in which nodes that are away are removed. */
export const longestAway = 'least(n.deactivated, n.expired), n.certname';
