import { type Fragment, sql, subQuery } from '../sql/fragment';
import { key64, pathKey } from '../sql/keys';
import { leafNodes } from '../sql/leaf';
import type { Literal } from './field-test';
import { JsonValue } from './json-value';

export class FactValue extends JsonValue {
  constructor(
    value: Fragment,
    spelled: Fragment,
    private readonly node: Fragment,
  ) {
    super(value, spelled);
  }

  /**
   * Returns a condition that finds the nodes by the index on leaves, which includes scalar top-level facts. The tests
   * of name and value imply this condition, so the compiler can add the condition under a `not` too.
   */
  narrowed(name: Literal, value: Literal): Fragment {
    const leaf = { fact: key64(String(name)), paths: [pathKey([String(name)])] };
    return subQuery(sql`${this.node} IN (${leafNodes(leaf, value)})`);
  }
}

export const factValue = (value: Fragment, spelled: Fragment, node: Fragment): JsonValue =>
  new FactValue(value, spelled, node);
