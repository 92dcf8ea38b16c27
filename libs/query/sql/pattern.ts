import { bind, type Fragment, sql } from './fragment';

/** A regular expression of a query. */
export interface Pattern {
  readonly text: string;
  readonly ignoresCase: boolean;
}

/**
 * A regular expression of the query, as the right side of `~`. PostgreSQL computes what is constant when it plans a
 * statement, so it refuses a faulty expression even if there is no row to compare with it.
 */
export function regularExpression(text: string): Fragment {
  const pattern = bind(text, 'text');
  return sql`CASE WHEN ('' ~ ${pattern}) IS NULL THEN NULL ELSE ${pattern} END`;
}

/** Whether the pattern matches a part of a text. */
export function matchSql(value: Fragment, { text, ignoresCase }: Pattern): Fragment {
  return ignoresCase ? sql`${value} ~* ${regularExpression(text)}` : sql`${value} ~ ${regularExpression(text)}`;
}
