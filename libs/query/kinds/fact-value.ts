import { type Fragment, sql, subQuery } from '../sql/fragment';
import { key64, pathKey } from '../sql/keys';
import { leafNodes } from '../sql/leaf';
import type { Literal } from './field-test';
import { JsonValue } from './json-value';

/** The value of a top-level fact. `node` is the key of the node. */
export class FactValue extends JsonValue {
  constructor(
    value: Fragment,
    spelled: Fragment,
    private readonly node: Fragment,
  ) {
    super(value, spelled);
  }

  /**
   * A top-level fact with a scalar value is also a leaf, and the leaves have an index on values, which finds the nodes
   * first. The returned condition follows from conditions on name and value, so it can also be added under a `not`.
   */
  narrowed(name: Literal, value: Literal): Fragment {
    const leaf = { fact: key64(String(name)), paths: [pathKey([String(name)])] };
    return subQuery(sql`${this.node} IN (${leafNodes(leaf, value)})`);
  }
}

export const factValue = (value: Fragment, spelled: Fragment, node: Fragment): JsonValue =>
  new FactValue(value, spelled, node);
