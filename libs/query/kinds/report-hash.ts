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
    const hashes = literals.map(String).filter((hash) => reportKey(hash) !== undefined);
    if (hashes.length === 0) return { kind: 'expression', sql: sql`${value} IS NULL AND NULL`, needs };
    const keys = [...new Set(hashes.map(reportKey))];
    return { kind: 'expression', sql: subQuery(isOneOf(value, keys, hashes)), needs };
  }
}

/**
 * Compares hashes too, because a key is only the beginning of a hash. The SQL has no scalar sub-query, because without
 * a matching report the result would be unknown instead of false.
 */
function isOneOf(value: Fragment, keys: readonly unknown[], hashes: readonly string[]): Fragment {
  const reports = table('reports');
  if (keys.length === 1) {
    const key = bindPlanIndependent(keys[0], 'uuid');
    const boundHashes = bindPlanIndependent(hashes, 'text[]');
    // With one key, the planner estimates the rows of one report. With an array from a sub-query, it estimates the rows
    // of ten.
    return sql`(${value} = ${key}
      AND EXISTS (SELECT FROM ${reports} x WHERE x.report = ${key} AND x.hash = ANY (${boundHashes})))`;
  }
  return sql`${value} = ANY (ARRAY(SELECT x.report FROM ${reports} x
    WHERE x.report = ANY (${bind(keys, 'uuid[]')}) AND x.hash = ANY (${bind(hashes, 'text[]')})))`;
}

export const reportHash = (value: Fragment, needs: readonly string[], key: Fragment): Text =>
  new ReportHash(value, needs, key);
