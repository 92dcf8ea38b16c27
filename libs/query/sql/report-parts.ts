import type { Sql } from '#database';

export type ReportPart = 'logs' | 'metrics' | 'resources';

/**
 * Converts a statement for one expanded part, such as `{"logs": {"href": …, "data": …}}`, to a statement for the data
 * alone.
 */
export function reportPart(report: Sql, part: ReportPart): Sql {
  return {
    text: `SELECT coalesce(r.row::json -> $${report.values.length + 1}::text ->> 'data', '[]') AS row FROM (${report.text}) AS r`,
    values: [...report.values, part],
  };
}
