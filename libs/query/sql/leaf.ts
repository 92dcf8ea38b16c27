import { type AstJson, NumberText, stringifyAst } from '../ast/json';
import { type Fragment, bind, comma, join, sql, table } from './fragment';

/** The types of leaves that can equal a scalar: numbers are equal across integer and float. */
export function leafTypes(value: AstJson): Fragment {
  if (value instanceof NumberText) return sql`c.type IN ('i'::"char", 'f'::"char")`;
  if (typeof value === 'boolean') return sql`c.type = 'b'::"char"`;
  if (value === null) return sql`c.type = 'n'::"char"`;
  return sql`c.type = 's'::"char"`;
}

/** Nodes with that value at one of the paths, through the index on path, type and hash of the value. */
export function leafNodes(paths: readonly Fragment[], value: AstJson): Fragment {
  const wanted = bind(stringifyAst(value), 'jsonb');
  return sql`SELECT c.node FROM ${table('fact_contents')} c WHERE c.path IN (${join(paths, comma)}) AND ${leafTypes(value)}
    AND jsonb_hash_extended(c.value, 0) = jsonb_hash_extended(${wanted}, 0) AND c.value = ${wanted}`;
}
