import { type AstJson, NumberText, stringifyAst } from '../ast/json';
import { bind, type Fragment, sql, subQuery } from '../sql/fragment';
import { orderingSql } from '../sql/ordering';
import { matchSql, regularExpression } from '../sql/pattern';
import { jsonVersionSql } from '../sql/version';
import type { NamedKind } from './field-kind';
import type { FieldTest, MemberTest } from './field-test';
import { ofOneType } from './literals';
import { Member } from './member';

class NamedParameter extends Member {
  constructor(
    private readonly document: Fragment,
    private readonly parameter: string,
    needs: readonly string[],
  ) {
    super(needs);
  }

  protected find(): Fragment {
    return sql`(${this.document} -> ${bind(this.parameter, 'text')})`;
  }

  override isIn(values: readonly AstJson[]): FieldTest {
    return super.isIn(ofOneType(values));
  }

  protected passes(test: MemberTest): FieldTest {
    return this.test(this.condition(test));
  }

  /**
   * As PuppetDB does, `~` and `~*` treat the name of the parameter as a regular expression too, and match JSON text.
   */
  private condition(test: MemberTest): Fragment {
    if (test.kind === 'matches') {
      const pattern = { ...test.pattern, text: JSON.stringify(test.pattern.text) };
      return subQuery(sql`EXISTS (SELECT FROM jsonb_each(${this.document}) m WHERE m.key ~ ${regularExpression(this.parameter)}
        AND ${matchSql(sql`m.value::text`, pattern)})`);
    }
    const { value } = this;
    if (test.kind === 'is-null')
      return sql`coalesce(jsonb_typeof(${value}), 'null') ${test.expected ? sql`=` : sql`<>`} 'null'`;
    if (test.kind === 'version') return jsonVersionSql(value, sql`(${value} #>> '{}')`, test.test);
    const wanted = bind(stringifyAst(test.value), 'jsonb');
    if (test.kind === 'equals') return sql`coalesce(${value}::text = ${wanted}::text, false)`;
    const compared = sql`${value} ${orderingSql(test.operator)} ${wanted}`;
    return test.value instanceof NumberText
      ? sql`coalesce(jsonb_typeof(${value}) = 'number' AND ${compared}, false)`
      : sql`coalesce(${compared}, false)`;
  }
}

export const namedParameter =
  (document: Fragment, needs: readonly string[]): NamedKind =>
  (name) =>
    new NamedParameter(document, name, needs);
