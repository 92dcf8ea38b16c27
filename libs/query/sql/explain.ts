import type { Sql } from '#database';

/** Returns a statement that runs `statement` and selects PostgreSQL's plan as JSON text. */
export function explainAnalyze(statement: Sql): Sql {
  return { text: `EXPLAIN (ANALYZE, VERBOSE, BUFFERS, FORMAT JSON) ${statement.text}`, values: statement.values };
}
