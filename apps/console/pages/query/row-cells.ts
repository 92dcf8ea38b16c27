const isRecord = (row: unknown): row is Readonly<Record<string, unknown>> =>
  typeof row === 'object' && row !== null && !Array.isArray(row);
export const cellOf = (row: unknown, column: string): unknown => (isRecord(row) ? row[column] : row);

/** Rows that are not objects, such as the rows of `fact_names`, have one column `value`. */
export function columnsOf(rows: readonly unknown[]): readonly string[] {
  const names = new Set<string>();
  for (const row of rows.slice(0, 200))
    for (const name of isRecord(row) ? Object.keys(row) : ['value']) names.add(name);
  return [...names];
}
