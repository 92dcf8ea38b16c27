import type { AstJson } from '../ast/json';
import { type Fragment, sql } from '../sql/fragment';
import { incompatible } from './literals';
import { Scalar } from './scalar';

export class Flag extends Scalar {
  readonly name = 'boolean';
  readonly noun = 'true or false';
  readonly meaning = 'true or false';
  readonly type = 'boolean';

  protected literal(value: AstJson, label: string): boolean {
    const found = this.element(value);
    if (found !== undefined) return found;
    throw incompatible('boolean', 'true or false', value, label);
  }

  protected element(value: AstJson): boolean | undefined {
    if (typeof value === 'boolean') return value;
    return value === 'true' || value === 'false' ? value === 'true' : undefined;
  }
}

export const boolean = (value: Fragment, needs?: readonly string[]): Flag => new Flag(value, needs);

export const nullBoolean = boolean(sql`NULL::boolean`);
