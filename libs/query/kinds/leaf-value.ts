import { any, type Fragment } from '../sql/fragment';
import { leafEquals } from '../sql/leaf';
import type { Literal, SqlTest } from './field-test';
import { JsonValue } from './json-value';

/** With more literals than this, the index on the leaves costs more time than it saves. */
const mostLeaves = 20;

class LeafValue extends JsonValue {
  override oneOf(literals: readonly Literal[]): SqlTest {
    return literals.length <= mostLeaves ? this.test(any(literals.map(leafEquals))) : super.oneOf(literals);
  }
}

/**
 * Creates the kind for the value of a leaf. An equality comparison also compares type and hash, because the index on
 * the leaves contains both.
 */
export const leafValue = (value: Fragment, spelled: Fragment): JsonValue => new LeafValue(value, spelled);
