import { type AstJson, stringifyAst } from '../ast/json';
import { type Fragment, bind, comma, join, sql, table } from './fragment';

/** Types of leaves by the first character of the JSON text; numbers are equal across integer and float. */
function leafTypes(json: string): Fragment {
  if (json.startsWith('"')) return sql`c.type = 's'::"char"`;
  if (json === 'true' || json === 'false') return sql`c.type = 'b'::"char"`;
  if (json === 'null') return sql`c.type = 'n'::"char"`;
  return sql`c.type IN ('i'::"char", 'f'::"char")`;
}

/** Equality of a leaf `c` with a scalar given as JSON text, in the terms of the index on path, type and hash. */
export function leafEquals({ value }: { readonly value: string | boolean }): Fragment {
  const wanted = bind(value, 'jsonb');
  return sql`(${leafTypes(String(value))} AND jsonb_hash_extended(c.value, 0) = jsonb_hash_extended(${wanted}, 0)
    AND c.value = ${wanted})`;
}

/** Nodes with that scalar at one of the paths. */
export function leafNodes(paths: readonly Fragment[], value: AstJson): Fragment {
  return sql`SELECT c.node FROM ${table('fact_contents')} c WHERE c.path IN (${join(paths, comma)})
    AND ${leafEquals({ value: stringifyAst(value) })}`;
}
