import type { Database } from './database';
import { statement } from './statement';

const preferred = ['pg_c_utf8', 'C.utf8', 'C.UTF-8'];

/**
 * Returns a collation that sorts by code point. With this collation, lower() and the classes of regular expressions
 * support Unicode. If the server has no such collation, returns "C", which supports only ASCII there.
 */
export async function textCollation(db: Database): Promise<string> {
  const rows = await db.query<{ name: string }>(statement`
    SELECT collname AS name FROM pg_catalog.pg_collation
    WHERE collnamespace = 'pg_catalog'::regnamespace AND collname = ANY (${preferred})
      AND collencoding IN (-1, pg_char_to_encoding('UTF8'))`);
  const present = new Set(rows.map((row) => row.name));
  return `pg_catalog."${preferred.find((name) => present.has(name)) ?? 'C'}"`;
}
