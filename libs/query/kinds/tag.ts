import type { AstJson } from '../ast/json';
import type { Fragment } from '../sql/fragment';
import type { Pattern } from '../sql/pattern';
import { constant, type FieldTest } from './field-test';
import { isScalar, plainText } from './literals';
import { Texts } from './texts';

class Tag extends Texts {
  override readonly note = 'values and patterns are taken in lower case';

  override equals(value: AstJson): FieldTest {
    return value === null ? this.isNull() : this.holdsOne([plainText(value).toLowerCase()]);
  }

  override isIn(values: readonly AstJson[]): FieldTest {
    const tags = values.filter((value) => value !== null && isScalar(value));
    return tags.length === 0 ? constant(false) : this.holdsOne(tags.map((tag) => plainText(tag).toLowerCase()));
  }

  override matches(pattern: Pattern): FieldTest {
    // Lower-casing the pattern would change `\D` to `\d`, so with `~*` the pattern stays unchanged.
    return super.matches(pattern.ignoresCase ? pattern : { ...pattern, text: pattern.text.toLowerCase() });
  }

  /** `null?` on a single tag finds resources without tags, whether its argument is true or false. PuppetDB does the same. */
  override isNull(): FieldTest {
    return this.testNull(true);
  }
}

/** One of a list of tags, which are stored in lower case. */
export const tag = (value: Fragment, needs: readonly string[]): Texts => new Tag(value, needs);
