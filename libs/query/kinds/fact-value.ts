import { type Fragment, sql, subQuery } from '../sql/fragment';
import { key64, pathKey } from '../sql/keys';
import { leafNodes } from '../sql/leaf';
import type { Literal } from './field-test';
import { JsonValue } from './json-value';

/** Kind of the value of a top-level fact. `node` is the SQL for the key of the node. */
export class FactValue extends JsonValue {
  constructor(
    value: Fragment,
    spelled: Fragment,
    private readonly node: Fragment,
  ) {
    super(value, spelled);
  }

  /**
   * Returns a condition that finds the nodes by the index on values of leaves, which also contains top-level facts with
   * a scalar value. The condition follows from the conditions on name and value, so the compiler can add it under a
   * `not` too.
   */
  narrowed(name: Literal, value: Literal): Fragment {
    const leaf = { fact: key64(String(name)), paths: [pathKey([String(name)])] };
    return subQuery(sql`${this.node} IN (${leafNodes(leaf, value)})`);
  }
}

export const factValue = (value: Fragment, spelled: Fragment, node: Fragment): JsonValue =>
  new FactValue(value, spelled, node);
