import { fromPlain } from '../../libs/query/ast/json';
import { compileQuery } from '../../libs/query/compile';
import type { ProjectionBench } from './projection';

/** The statement of a query, written as plain JSON. */
export const queryText = (bench: ProjectionBench, entity: string, query: unknown) =>
  compileQuery(
    { entity, ast: fromPlain(query) },
    { schema: bench.generation.schema, edition: 'full', dialect: 'neutral' },
  ).rows;

/** Returns the different values of a column in the rows that a condition finds, sorted. */
export async function foundValues(
  bench: ProjectionBench,
  entity: string,
  column: string,
  condition: unknown,
): Promise<unknown[]> {
  const query = ['extract', [column], condition, ['group_by', column]];
  const rows = await bench.db.query<{ row: string }>(queryText(bench, entity, query));
  return rows.map(({ row }) => (JSON.parse(row) as Record<string, unknown>)[column]).sort();
}
