import { type Fragment, sql } from '../sql/fragment';

/** A time inside an expanded report: PostgreSQL's own JSON spelling in UTC, without trailing zeros of the fraction. */
export const eventTime = (value: Fragment): Fragment =>
  sql`((to_json(${value} AT TIME ZONE 'UTC') #>> '{}') || '+00:00')`;
