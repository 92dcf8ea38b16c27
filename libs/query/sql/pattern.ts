import { bind, type Fragment, sql } from './fragment';

export interface Pattern {
  readonly text: string;
  readonly ignoresCase: boolean;
}

/**
 * PostgreSQL evaluates this constant during planning, so it refuses an invalid expression even if no row is compared.
 */
export function regularExpression(text: string): Fragment {
  const pattern = bind(text, 'text');
  return sql`CASE WHEN ('' ~ ${pattern}) IS NULL THEN NULL ELSE ${pattern} END`;
}

export function matchSql(value: Fragment, { text, ignoresCase }: Pattern): Fragment {
  return ignoresCase ? sql`${value} ~* ${regularExpression(text)}` : sql`${value} ~ ${regularExpression(text)}`;
}
