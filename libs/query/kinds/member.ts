import type { Ordering, VersionTest } from '../ast/ast';
import type { AstJson } from '../ast/json';
import { malformed } from '../ast/malformed';
import { type Fragment, sql } from '../sql/fragment';
import type { Pattern } from '../sql/pattern';
import { FieldKind } from './field-kind';
import type { FieldTest, MemberTest } from './field-test';
import { isScalar, jsonText } from './literals';

export abstract class Member extends FieldKind {
  readonly name = 'value';
  readonly noun = 'a value of any type';
  readonly meaning = 'a value inside a map';
  readonly type = 'jsonb';

  private found: Fragment | undefined;

  /** Caches the fragment, so that the statement binds its parameters only once. */
  override get value(): Fragment {
    return (this.found ??= this.find());
  }

  protected abstract find(): Fragment;

  protected abstract passes(test: MemberTest): FieldTest;

  override equals(value: AstJson): FieldTest {
    jsonText(value);
    return this.passes(value === null ? { kind: 'is-null', expected: true } : { kind: 'equals', value });
  }

  override isIn(values: readonly AstJson[]): FieldTest {
    return { kind: 'or', members: values.map((value) => this.equals(value)) };
  }

  override orders(operator: Ordering, value: AstJson): FieldTest {
    if (!isScalar(value)) throw malformed('value', `Invalid ${operator} clause`);
    jsonText(value);
    return this.passes({ kind: 'orders', operator, value });
  }

  override matches(pattern: Pattern): FieldTest {
    return this.passes({ kind: 'matches', pattern });
  }

  override comparesVersion(test: VersionTest): FieldTest {
    return this.passes({ kind: 'version', test });
  }

  override isNull(expected: boolean): FieldTest {
    return this.passes({ kind: 'is-null', expected });
  }

  override spelling(): Fragment {
    return sql`(${this.value})::text`;
  }
}
