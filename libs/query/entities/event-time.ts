import { type Fragment, sql } from '../sql/fragment';

/** Formats a time inside an expanded report: in UTC, as PostgreSQL writes times in JSON. */
export const eventTime = (value: Fragment): Fragment =>
  sql`((to_json(${value} AT TIME ZONE 'UTC') #>> '{}') || '+00:00')`;
