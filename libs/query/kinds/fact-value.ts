import { bind, type Fragment, sql, subQuery, table } from '../sql/fragment';
import { pathKey } from '../sql/keys';
import { leafEquals } from '../sql/leaf';
import type { Literal } from './field-test';
import { JsonValue } from './json-value';

/** The value of a top-level fact. `node`: the key of its node. */
export class FactValue extends JsonValue {
  constructor(
    value: Fragment,
    spelled: Fragment,
    private readonly node: Fragment,
  ) {
    super(value, spelled);
  }

  /**
   * A top-level fact with a name and a scalar value is also a leaf, and the leaves have an index on their values: the
   * nodes are found there first. Follows from conditions on name and value, so it can be added to them under a `not` too.
   */
  narrowed(name: Literal, value: Literal): Fragment {
    const path = bind(pathKey([String(name)]), 'bigint');
    return subQuery(sql`${this.node} IN (SELECT c.node FROM ${table('fact_contents')} c
    WHERE c.path = ${path} AND ${leafEquals(value)})`);
  }
}

export const factValue = (value: Fragment, spelled: Fragment, node: Fragment): JsonValue =>
  new FactValue(value, spelled, node);
