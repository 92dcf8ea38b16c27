import { bind, bindPlanIndependent, type Fragment, sql, subQuery, table } from '../sql/fragment';
import { reportKey } from '../sql/keys';
import type { FieldKey, Literal, SqlTest } from './field-test';
import { Text } from './text';

class ReportHash extends Text {
  override readonly key: FieldKey;

  constructor(value: Fragment, needs: readonly string[], key: Fragment) {
    super(value, needs);
    this.key = { domain: 'report', value: key, needs: [] };
  }

  override oneOf(literals: readonly Literal[]): SqlTest {
    const { value, needs } = this.key;
    const hashes = literals.map(String);
    const keys = hashes.flatMap((hash) => reportKey(hash) ?? []);
    if (keys.length === 0) return { kind: 'expression', sql: sql`${value} IS NULL AND NULL`, needs };
    return { kind: 'expression', sql: subQuery(isOneOf(value, keys, hashes)), needs };
  }
}

/** A key is the beginning of a hash. The hashes decide; where a report has none of them, the condition is false rather than unknown. */
function isOneOf(value: Fragment, keys: readonly string[], hashes: readonly string[]): Fragment {
  const reports = sql`${table('reports')} x WHERE`;
  const [key, another] = keys;
  // PostgreSQL expects the rows of one report where it sees one key, and those of ten where it sees an array of unknown length.
  if (key !== undefined && another === undefined) {
    const bound = bindPlanIndependent(key, 'uuid');
    const hash = bindPlanIndependent(hashes, 'text[]');
    return sql`(${value} = ${bound} AND EXISTS (SELECT FROM ${reports} x.report = ${bound} AND x.hash = ANY (${hash})))`;
  }
  return sql`${value} = ANY (ARRAY(SELECT x.report FROM ${reports} x.report = ANY (${bind(keys, 'uuid[]')})
      AND x.hash = ANY (${bind(hashes, 'text[]')})))`;
}

/** The hash of a report, with the column of the report's key. */
export const reportHash = (value: Fragment, needs: readonly string[], key: Fragment): Text =>
  new ReportHash(value, needs, key);
