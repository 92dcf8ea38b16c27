/** 21 quantiles: from the minimum to the maximum in steps of 5 %. */
const quantiles = (figure: string): string =>
  `percentile_cont(ARRAY[${Array.from({ length: 21 }, (_, step) => step / 20).join(', ')}]) WITHIN GROUP (ORDER BY ${figure}) AS quantiles`;

/**
 * Distributions are computed from samples of these sizes, because reading all rows would take too long. A sample
 * consists of the rows with the smallest keys. Keys are digests, so such a sample is random, but the same for each
 * request.
 */
const sampledNodes = 500;
const sampledReports = 5_000;

/** `{schema}` is replaced by the schema of the live tables. */
export const summaryFigures: Readonly<Record<string, string>> = {
  table_usage: `SELECT * FROM pg_stat_user_tables WHERE schemaname IN ('{schema}', 'nodeledger') ORDER BY schemaname, relname`,
  index_usage: `SELECT * FROM pg_stat_user_indexes WHERE schemaname IN ('{schema}', 'nodeledger')
                ORDER BY schemaname, relname, indexrelname`,
  database_usage: `SELECT now() AS current_time, * FROM pg_stat_database WHERE datname = current_database()`,
  node_activity: `SELECT count(*), expired IS NULL AND deactivated IS NULL AS active FROM {schema}.nodes GROUP BY 2 ORDER BY 2`,
  fact_path_counts_by_depth: `SELECT depth, count(*) FROM {schema}.fact_paths GROUP BY 1 ORDER BY 1`,
  report_metric_size_dist: ofReports('metrics'),
  report_log_size_dist: ofReports('logs'),
  num_resources_per_node: ofNodes('SELECT count(*) AS figure FROM resources GROUP BY node'),
  // The counts of the sample are scaled up to the number of catalogs, because the number of resources per file grows
  // with the fleet.
  num_resources_per_file: ofNodes(
    `SELECT count(*) * (SELECT greatest(1, count(*)::float8 / ${sampledNodes}) FROM {schema}.catalogs) AS figure
     FROM resources JOIN {schema}.resource_contents c USING (content) WHERE c.file IS NOT NULL GROUP BY c.file`,
  ),
  file_resources_per_catalog: ofNodes(
    `SELECT count(*) AS figure FROM resources JOIN {schema}.resource_contents c USING (content) WHERE c.type = 'File' GROUP BY node`,
  ),
  file_resources_per_catalog_with_source: ofNodes(
    `SELECT count(*) AS figure FROM resources JOIN {schema}.resource_contents c USING (content)
     WHERE c.type = 'File' AND c.parameters ? 'source' GROUP BY node`,
  ),
  num_distinct_edges_source_target: `
    SELECT count(DISTINCT (e.source_type, e.source_title, e.target_type, e.target_title))
    FROM (SELECT * FROM {schema}.catalog_edges ORDER BY node LIMIT ${sampledNodes}) s,
      unnest(s.source_types, s.source_titles, s.target_types, s.target_titles)
        AS e(source_type, source_title, target_type, target_title)`,
};

/** The size is the compressed size in PostgreSQL. */
function ofReports(column: string): string {
  return `SELECT ${quantiles('figure')} FROM (
            SELECT pg_column_size(${column}) AS figure FROM {schema}.reports ORDER BY report LIMIT ${sampledReports}) AS sizes`;
}

/** `figures` must select `figure` from `resources`, whose columns are node and content. */
function ofNodes(figures: string): string {
  return `WITH resources AS (
            SELECT r.node, r.content FROM {schema}.catalog_resources r
            WHERE r.node IN (SELECT node FROM {schema}.catalogs ORDER BY node LIMIT ${sampledNodes}))
          SELECT ${quantiles('figure')} FROM (${figures}) AS figures`;
}
