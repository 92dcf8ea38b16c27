import type { Ordering, VersionTest } from '../ast/ast';
import type { AstJson } from '../ast/json';
import { bind, type Fragment, sql } from '../sql/fragment';
import { orderingSql } from '../sql/ordering';
import { matchSql, type Pattern } from '../sql/pattern';
import { jsonVersionSql } from '../sql/version';
import { constant, type FieldTest } from './field-test';
import { isScalar, jsonText, orderedNumber } from './literals';
import { Scalar } from './scalar';

/**
 * Kind of the value of a fact. `spelled` is an SQL expression for the original JSON text, or for NULL if jsonb would
 * print exactly this text.
 */
export class JsonValue extends Scalar {
  readonly name = 'value';
  readonly noun = 'a value of any type';
  readonly meaning =
    'any JSON value of a fact; values are equal if both the types and the values are equal; `1` equals `1.0`';
  readonly type = 'jsonb';

  constructor(
    value: Fragment,
    private readonly spelled?: Fragment,
  ) {
    super(value);
  }

  protected literal(value: AstJson): string {
    return jsonText(value);
  }

  protected element(value: AstJson): string | undefined {
    return isScalar(value) ? jsonText(value) : undefined;
  }

  override equals(value: AstJson, label: string): FieldTest {
    return isScalar(value) ? super.equals(value, label) : constant(false);
  }

  override orders(operator: Ordering, value: AstJson, label: string): FieldTest {
    const number = bind(orderedNumber(operator, value, label), 'jsonb');
    return this.test(
      sql`(jsonb_typeof(${this.value}) = 'number' AND ${this.value} ${orderingSql(operator)} ${number})`,
    );
  }

  override matches(pattern: Pattern): FieldTest {
    return this.test(matchSql(sql`(${this.value} #>> '{}')`, pattern));
  }

  override comparesVersion(test: VersionTest): FieldTest {
    return this.test(jsonVersionSql(this.value, sql`(${this.value} #>> '{}')`, test));
  }

  override isNull(expected: boolean): FieldTest {
    return this.test(sql`coalesce(${this.value}, 'null') ${expected ? sql`=` : sql`<>`} 'null'`);
  }

  override shown(): Fragment {
    return this.spelled ? sql`coalesce(${this.spelled}::json, ${this.value}::json)` : this.value;
  }

  override spelling(): Fragment {
    const text = sql`(${this.value})::text`;
    return this.spelled ? sql`coalesce(${this.spelled}, ${text})` : text;
  }
}

export const jsonValue = (value: Fragment): JsonValue => new JsonValue(value);
