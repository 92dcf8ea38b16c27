import type { AstJson } from '../ast/json';
import type { Fragment } from '../sql/fragment';
import type { Pattern } from '../sql/pattern';
import { constant, type FieldTest } from './field-test';
import { isScalar, plainText } from './literals';
import { Texts } from './texts';

class Tag extends Texts {
  override readonly note = 'the service converts values and patterns to lower case';

  override equals(value: AstJson): FieldTest {
    return value === null ? this.isNull() : this.holdsOne([plainText(value).toLowerCase()]);
  }

  override isIn(values: readonly AstJson[]): FieldTest {
    const tags = values.filter((value) => value !== null && isScalar(value));
    return tags.length === 0 ? constant(false) : this.holdsOne(tags.map((tag) => plainText(tag).toLowerCase()));
  }

  override matches(pattern: Pattern): FieldTest {
    // With `~*` the pattern stays unchanged, because lower-casing would turn `\D` into `\d`.
    return super.matches(pattern.ignoresCase ? pattern : { ...pattern, text: pattern.text.toLowerCase() });
  }

  /** As in PuppetDB, `null?` on a tag finds the resources without tags, even if its argument is false. */
  override isNull(): FieldTest {
    return this.testNull(true);
  }
}

/**
 * Makes the kind of a field with a list of tags. A condition on the field is true if it is true for any tag of the
 * list. Tags are stored in lower case.
 */
export const tag = (value: Fragment, needs: readonly string[]): Texts => new Tag(value, needs);
