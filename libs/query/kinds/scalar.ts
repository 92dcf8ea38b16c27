import type { Ordering } from '../ast/ast';
import type { AstJson } from '../ast/json';
import { bind, type Fragment, sql, subQuery } from '../sql/fragment';
import { orderingSql } from '../sql/ordering';
import { FieldKind } from './field-kind';
import { type Alternatives, constant, type FieldTest, type Literal, type SqlTest } from './field-test';

const mostEstimated = 1_000;

export abstract class Scalar extends FieldKind implements Alternatives {
  abstract override readonly type: 'text' | 'numeric' | 'boolean' | 'timestamptz' | 'jsonb';

  constructor(
    readonly value: Fragment,
    needs: readonly string[] = [],
  ) {
    super(needs);
  }

  /** Converts the right side of `=`. Throws `query.value` if its type differs from the type of the field. */
  protected abstract literal(value: AstJson, label: string): Literal;

  /** Converts an element of the array after `in`. Returns undefined if the field can never equal the element. */
  protected abstract element(value: AstJson, label: string): Literal | undefined;

  override equals(value: AstJson, label: string): FieldTest {
    if (value === null) return this.isNull(true);
    return { kind: 'equals', field: this, literals: [this.literal(value, label)] };
  }

  override isIn(values: readonly AstJson[], label: string): FieldTest {
    const literals = values.flatMap((value) => (value === null ? [] : (this.element(value, label) ?? [])));
    return literals.length === 0 ? constant(false) : { kind: 'equals', field: this, literals };
  }

  override isNull(expected: boolean): FieldTest {
    return this.testNull(expected);
  }

  protected ordered(operator: Ordering, literal: Literal): SqlTest {
    return this.test(sql`${this.value} ${orderingSql(operator)} ${bind(literal, this.type)}`);
  }

  oneOf(literals: readonly Literal[]): SqlTest {
    return this.test(this.equalsOneOf(this.value, literals));
  }

  /** `column` must have the type of the field. */
  protected equalsOneOf(column: Fragment, literals: readonly Literal[]): Fragment {
    const { type } = this;
    if (literals.length === 1) return sql`${column} = ${bind(literals[0], type)}`;
    // For an array, PostgreSQL estimates the rows of each element, which takes long for jsonb. For a sub-query, it
    // estimates the rows only once.
    if (type === 'jsonb' && literals.length > mostEstimated)
      return subQuery(sql`${column} IN (SELECT u.value FROM unnest(${bind(literals, 'jsonb[]')}) u (value))`);
    return sql`${column} = ANY (${bind(literals, `${type}[]`)})`;
  }
}
