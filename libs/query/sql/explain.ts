import type { Sql } from '#database';

export function explainAnalyze(statement: Sql): Sql {
  return { text: `EXPLAIN (ANALYZE, VERBOSE, BUFFERS, FORMAT JSON) ${statement.text}`, values: statement.values };
}
