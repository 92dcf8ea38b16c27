import { bind, type Fragment, sql } from './fragment';

/**
 * A regular expression of the query, as the right side of `~`. PostgreSQL computes what is constant when it plans a
 * statement, so it refuses a faulty expression even if there is no row to compare with it.
 */
export function regularExpression(text: string): Fragment {
  const pattern = bind(text, 'text');
  return sql`CASE WHEN ('' ~ ${pattern}) IS NULL THEN NULL ELSE ${pattern} END`;
}
