import type { AstJson } from '../ast/json';
import { bind, type Fragment, sql } from '../sql/fragment';
import { constant, type FieldTest } from './field-test';
import { FieldKind } from './field-kind';
import { isScalar, jsonText } from './literals';
import { matchSql, type Pattern } from '../sql/pattern';

class JsonText extends FieldKind {
  readonly name = 'json-text';
  readonly noun = 'a value of any type';
  readonly meaning = 'any JSON value of an event; operators compare its JSON text';
  readonly type = 'text';

  constructor(readonly value: Fragment) {
    super([]);
  }

  /** Compares maps and arrays as jsonb, because their JSON texts can differ in blanks. */
  override equals(value: AstJson): FieldTest {
    const json = jsonText(value);
    if (isScalar(value)) return this.test(sql`${this.value} = ${bind(json, 'text')}`);
    const wanted = bind(json, 'jsonb');
    return this.test(
      sql`CASE WHEN "left"(${this.value}, 1) IN ('[', '{') THEN (${this.value})::jsonb = ${wanted} ELSE false END`,
    );
  }

  override isIn(values: readonly AstJson[]): FieldTest {
    return { kind: 'or', members: values.map((value) => this.equals(value)) };
  }

  override matches({ text, ignoresCase }: Pattern): FieldTest {
    const pattern = { text: JSON.stringify(text), ignoresCase };
    return this.test(sql`coalesce(${matchSql(this.value, pattern)}, false)`);
  }

  /** Events store a missing value as JSON null, so the field is never NULL. */
  override isNull(): FieldTest {
    return constant(false);
  }

  override printed(value: Fragment): Fragment {
    return sql`(${value})::json`;
  }
}

export const jsonTextOf = (value: Fragment): FieldKind => new JsonText(value);
