import { any, type Fragment } from '../sql/fragment';
import { leafEquals } from '../sql/leaf';
import type { Literal, SqlTest } from './field-test';
import { JsonValue } from './json-value';

/** With more literals than this, the index on the leaves is not worth it. */
const mostLeaves = 20;

class LeafValue extends JsonValue {
  override oneOf(literals: readonly Literal[]): SqlTest {
    return literals.length <= mostLeaves ? this.test(any(literals.map(leafEquals))) : super.oneOf(literals);
  }
}

/** The value of a leaf. Equality asks for type and hash as well, because the index on the leaves has them. */
export const leafValue = (value: Fragment, spelled: Fragment): JsonValue => new LeafValue(value, spelled);
