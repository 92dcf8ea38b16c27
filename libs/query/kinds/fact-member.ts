import type { Step } from '../ast/dotted-name';
import type { Fragment } from '../sql/fragment';
import { allFacts, documentSql, factAt } from '../sql/tree';
import type { FieldTest, MemberTest } from './field-test';
import { Member } from './member';

export class FactMember extends Member {
  constructor(
    private readonly node: Fragment,
    private readonly steps: readonly Step[],
    private readonly dotted: boolean,
  ) {
    super([]);
  }

  protected find(): Fragment {
    return factAt(this.node, this.steps);
  }

  protected passes(test: MemberTest): FieldTest {
    const { node, steps, dotted } = this;
    if (steps.length === 0) return this.test(documentSql(allFacts(node), steps, test));
    return { kind: 'fact', node, steps, test, dotted };
  }
}
