import type { Step } from '../ast/dotted-name';
import type { AstJson } from '../ast/json';
import { bind, type Fragment, sql, table } from '../sql/fragment';
import { key64 } from '../sql/keys';
import type { Pattern } from '../sql/pattern';
import { documentSql, memberAt } from '../sql/tree';
import { FactMember } from './fact-member';
import { FieldKind } from './field-kind';
import type { FieldTest, MemberTest } from './field-test';
import { Member } from './member';

class Tree extends FieldKind {
  readonly name = 'tree';
  readonly noun = 'a map';
  readonly meaning = 'a map; a dotted name selects a value in the map: `facts.os.name`, `parameters.mode`';
  readonly type = 'jsonb';

  constructor(
    readonly value: Fragment,
    needs: readonly string[],
    override readonly member: (steps: readonly Step[]) => Member,
    private readonly output = value,
  ) {
    super(needs);
  }

  override equals(value: AstJson): FieldTest {
    return this.member([]).equals(value);
  }

  override isIn(values: readonly AstJson[]): FieldTest {
    return this.member([]).isIn(values);
  }

  override matches(pattern: Pattern): FieldTest {
    return this.member([]).matches(pattern);
  }

  override isNull(expected: boolean): FieldTest {
    return this.testNull(expected);
  }

  override shown(): Fragment {
    return this.output;
  }

  override spelling(): Fragment {
    return sql`(${this.value})::text`;
  }
}

class DocumentMember extends Member {
  constructor(
    private readonly document: Fragment,
    private readonly steps: readonly Step[],
    needs: readonly string[],
  ) {
    super(needs);
  }

  protected find(): Fragment {
    return memberAt(this.document, this.steps);
  }

  protected passes(test: MemberTest): FieldTest {
    return this.test(documentSql(this.document, this.steps, test));
  }
}

export const document = (value: Fragment, needs: readonly string[]): FieldKind =>
  new Tree(value, needs, (steps) => new DocumentMember(value, steps, needs));

export const factMap = (node: Fragment): FieldKind =>
  new Tree(
    sql`(SELECT coalesce(jsonb_object_agg(x.name, x.value), '{}') FROM ${table('facts')} x WHERE x.node = ${node})`,
    [],
    (steps) => new FactMember(node, steps, true),
    sql`(SELECT coalesce(json_object_agg(x.name, x.value), '{}') FROM ${table('facts')} x WHERE x.node = ${node})`,
  );

export const mapInFact = (node: Fragment, name: string): FieldKind =>
  new Tree(
    sql`(SELECT x.value FROM ${table('facts')} x WHERE x.node = ${node} AND x.fact = ${bind(key64(name), 'bigint')})`,
    [],
    (steps) => new FactMember(node, [{ kind: 'key', key: name }, ...steps], true),
  );
