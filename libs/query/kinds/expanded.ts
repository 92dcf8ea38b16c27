import { type Fragment, sql } from '../sql/fragment';
import { FieldKind } from './field-kind';

export class Expanded extends FieldKind {
  readonly name = 'expanded';
  readonly noun = 'a part of the answer';
  readonly meaning = 'an object `{"href", "data"}`; conditions cannot use it';
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

/**
 * Makes the kind of a field such as `{"href": …, "data": …}`. Answers contain the field, but conditions cannot use it.
 */
export const expanded = (output: Fragment, needs: readonly string[] = []): FieldKind => new Expanded(output, needs);
