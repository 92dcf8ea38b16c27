import { type AstJson, stringifyAst } from '../ast/json';
import { type Fragment, bind, comma, join, sql, table } from './fragment';

/**
 * A condition that a fact has the scalar `value` at one of several paths. `fact` and `paths` are keys. A step such as
 * `0` can be a key of a map or an index of an array, so one condition can mean several paths.
 */
export interface Leaf {
  readonly fact: string;
  readonly paths: readonly string[];
  readonly value: AstJson;
}

/** Numbers have two types, because an integer can equal a float. */
function leafTypes(json: string): Fragment {
  if (json.startsWith('"')) return sql`c.type = 's'::"char"`;
  if (json === 'true' || json === 'false') return sql`c.type = 'b'::"char"`;
  if (json === 'null') return sql`c.type = 'n'::"char"`;
  return sql`c.type IN ('i'::"char", 'f'::"char")`;
}

function typeLetters(json: string): readonly string[] {
  if (json.startsWith('"')) return ['s'];
  if (json === 'true' || json === 'false') return ['b'];
  return json === 'null' ? ['n'] : ['i', 'f'];
}

/** Compares type and hash too, because the index contains both. */
export function leafEquals(literal: string | boolean): Fragment {
  const wanted = bind(literal, 'jsonb');
  return sql`(${leafTypes(String(literal))} AND jsonb_hash_extended(c.value, 0) = jsonb_hash_extended(${wanted}, 0)
    AND c.value = ${wanted})`;
}

/**
 * Selects the nodes that have the scalar at one of the paths. If there is one path, the conditions on fact and path
 * prove to PostgreSQL that each node occurs once. PostgreSQL then need not collect all nodes first, so a short page is
 * faster.
 */
export function leafNodes({ fact, paths }: Pick<Leaf, 'fact' | 'paths'>, literal: string | boolean): Fragment {
  const keys = paths.map((path) => bind(path, 'bigint'));
  return sql`SELECT c.node FROM ${table('fact_contents')} c WHERE c.fact = ${bind(fact, 'bigint')}
    AND c.path IN (${join(keys, comma)}) AND ${leafEquals(literal)}`;
}

/**
 * Compares with constants instead of joining, so that PostgreSQL uses the indexes on both tables that a query about the
 * past reads.
 */
export function nodesWithAny({ paths }: Pick<Leaf, 'paths'>, values: readonly AstJson[]): Fragment {
  const texts = values.map(stringifyAst);
  const wanted = bind(texts, 'jsonb[]');
  const types = bind([...new Set(texts.flatMap(typeLetters))], 'text[]');
  return sql`SELECT c.node FROM ${table('fact_contents')} c WHERE c.path = ANY (${bind(paths, 'bigint[]')})
    AND c.type = ANY (${types}::"char"[]) AND jsonb_hash_extended(c.value, 0) = ANY (ARRAY(SELECT jsonb_hash_extended(w, 0) FROM unnest(${wanted}) w))
    AND c.value = ANY (${wanted})`;
}

export function anyLeafNodes(leaves: readonly Leaf[]): Fragment {
  const rows = leaves.flatMap(({ paths, value }) => {
    const json = stringifyAst(value);
    return paths.flatMap((path) => typeLetters(json).map((type) => ({ path, type, json })));
  });
  const column = (name: keyof (typeof rows)[number], cast: 'bigint[]' | 'text[]' | 'jsonb[]'): Fragment =>
    bind(
      rows.map((row) => row[name]),
      cast,
    );
  return sql`SELECT c.node FROM unnest(${column('path', 'bigint[]')}, ${column('type', 'text[]')},
    ${column('json', 'jsonb[]')}) w (path, type, value) JOIN ${table('fact_contents')} c ON c.path = w.path
    AND c.type = w.type::"char" AND jsonb_hash_extended(c.value, 0) = jsonb_hash_extended(w.value, 0) AND c.value = w.value`;
}
