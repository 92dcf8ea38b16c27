import type { Sql } from '#database';

export type ReportPart = 'logs' | 'metrics' | 'resources';

/**
 * Converts a statement whose only row is a report with the expanded part (`{"logs": {"href": …, "data": …}}`) to a
 * statement whose only row is the data, spelled as stored.
 */
export function reportPart(report: Sql, part: ReportPart): Sql {
  return {
    text: `SELECT coalesce(r.row::json -> $${report.values.length + 1}::text ->> 'data', '[]') AS row FROM (${report.text}) AS r`,
    values: [...report.values, part],
  };
}
