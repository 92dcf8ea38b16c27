import type { AstJson } from '../ast/json';
import type { Fragment } from '../sql/fragment';
import { constant, type FieldTest } from './field-test';
import { Text } from './text';

class TextOrAny extends Text {
  override readonly note: string;

  constructor(
    value: Fragment,
    private readonly any: string,
  ) {
    super(value);
    this.note = `the value \`${any}\` matches every row`;
  }

  override equals(value: AstJson, label: string): FieldTest {
    return value === this.any ? constant(true) : super.equals(value, label);
  }
}

export const textOrAny = (value: Fragment, any: string): Text => new TextOrAny(value, any);
