import { type Fragment, sql } from '../sql/fragment';
import { FieldKind } from './field-kind';

/** A part of the answer that no condition can name. */
export class Expanded extends FieldKind {
  readonly name = 'expanded';
  readonly noun = 'a part of the answer';
  readonly meaning = '`{"href", "data"}`, shown and not asked';
  readonly type = 'text';
  readonly value = sql`NULL::text`;

  constructor(
    private readonly output: Fragment,
    needs: readonly string[],
  ) {
    super(needs);
  }

  override shown(): Fragment {
    return this.output;
  }
}

/** A part of the answer, such as `{"href": …, "data": …}`. No condition can name it. */
export const expanded = (output: Fragment, needs: readonly string[] = []): FieldKind => new Expanded(output, needs);
