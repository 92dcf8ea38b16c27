import { type Fragment, sql, subQuery } from '../sql/fragment';
import { key64, pathKey } from '../sql/keys';
import { leafNodes } from '../sql/leaf';
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
    const leaf = { fact: key64(String(name)), paths: [pathKey([String(name)])] };
    return subQuery(sql`${this.node} IN (${leafNodes(leaf, value)})`);
  }
}

export const factValue = (value: Fragment, spelled: Fragment, node: Fragment): JsonValue =>
  new FactValue(value, spelled, node);
