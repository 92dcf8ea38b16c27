import type { VersionTest } from '../ast/ast';
import type { AstJson } from '../ast/json';
import { type Fragment, sql } from '../sql/fragment';
import { matchSql, type Pattern } from '../sql/pattern';
import { versionSql } from '../sql/version';
import type { FieldTest } from './field-test';
import { incompatible, isScalar, plainText } from './literals';
import { Scalar } from './scalar';

export class Text extends Scalar {
  readonly name = 'text';
  readonly noun = 'a text';
  readonly meaning = 'a string';
  readonly type = 'text';

  protected literal(value: AstJson, label: string): string {
    if (typeof value === 'string') return value;
    throw incompatible('string', 'text', value, label);
  }

  protected element(value: AstJson): string | undefined {
    return isScalar(value) ? plainText(value) : undefined;
  }

  override matches(pattern: Pattern): FieldTest {
    // `coalesce` makes the condition false for a row without a value, so that `not` matches the row.
    return this.test(sql`coalesce(${matchSql(this.value, pattern)}, false)`);
  }

  override comparesVersion(test: VersionTest): FieldTest {
    return this.test(versionSql(this.value, test));
  }
}

export const text = (value: Fragment, needs?: readonly string[]): Text => new Text(value, needs);
