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
    // A key is the beginning of a hash. An array, because no row in place of it would make the comparison unknown.
    const keyOf = keys.length === 1 ? bindPlanIndependent : bind;
    const condition = subQuery(sql`${value} = ANY (ARRAY(SELECT x.report FROM ${table('reports')} x
      WHERE x.report = ANY (${keyOf(keys, 'uuid[]')}) AND x.hash = ANY (${keyOf(hashes, 'text[]')})))`);
    return { kind: 'expression', sql: condition, needs };
  }
}

/** The hash of a report, with the column of the report's key. */
export const reportHash = (value: Fragment, needs: readonly string[], key: Fragment): Text =>
  new ReportHash(value, needs, key);
