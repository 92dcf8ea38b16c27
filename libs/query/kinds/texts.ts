import type { AstJson } from '../ast/json';
import { bind, type Fragment, sql, subQuery } from '../sql/fragment';
import { matchSql, type Pattern } from '../sql/pattern';
import { FieldKind } from './field-kind';
import type { FieldTest } from './field-test';
import { plainText } from './literals';

export class Texts extends FieldKind {
  readonly name = 'texts';
  readonly noun = 'a list of texts';
  readonly meaning = 'a list of strings; `=` finds lists that contain the value';
  readonly type = 'text[]';

  constructor(
    readonly value: Fragment,
    needs: readonly string[] = [],
  ) {
    super(needs);
  }

  override equals(value: AstJson): FieldTest {
    return value === null ? this.isNull(true) : this.holdsOne([plainText(value)]);
  }

  override matches(pattern: Pattern): FieldTest {
    const matched = matchSql(sql`m.one`, pattern);
    return this.test(subQuery(sql`EXISTS (SELECT FROM unnest(${this.value}) m (one) WHERE ${matched})`));
  }

  override isNull(expected: boolean): FieldTest {
    return this.testNull(expected);
  }

  protected holdsOne(texts: readonly string[]): FieldTest {
    return this.test(sql`${this.value} && ${bind(texts, 'text[]')}`);
  }
}

export const texts = (value: Fragment, needs?: readonly string[]): Texts => new Texts(value, needs);
