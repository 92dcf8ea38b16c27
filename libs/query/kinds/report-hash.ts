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
 * A key is the beginning of a hash, so hashes are compared as well. If no report has one of them, the condition is false; a scalar
 * sub-query without a row would make it unknown.
 */
function isOneOf(value: Fragment, keys: readonly unknown[], hashes: readonly string[]): Fragment {
  const reports = table('reports');
  if (keys.length === 1) {
    const key = bindPlanIndependent(keys[0], 'uuid');
    const boundHashes = bindPlanIndependent(hashes, 'text[]');
    // PostgreSQL expects the rows of one report for a key, and those of ten for an array that a sub-query makes.
    return sql`(${value} = ${key}
      AND EXISTS (SELECT FROM ${reports} x WHERE x.report = ${key} AND x.hash = ANY (${boundHashes})))`;
  }
  return sql`${value} = ANY (ARRAY(SELECT x.report FROM ${reports} x
    WHERE x.report = ANY (${bind(keys, 'uuid[]')}) AND x.hash = ANY (${bind(hashes, 'text[]')})))`;
}

/** The hash of a report, with the column of the report's key. */
export const reportHash = (value: Fragment, needs: readonly string[], key: Fragment): Text =>
  new ReportHash(value, needs, key);
