import type { Sql } from '#database';

/** Runs the statement for its plan: one row with PostgreSQL's JSON plan as text. */
export function explainAnalyze(statement: Sql): Sql {
  return { text: `EXPLAIN (ANALYZE, VERBOSE, BUFFERS, FORMAT JSON) ${statement.text}`, values: statement.values };
}
