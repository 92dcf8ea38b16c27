import type { Ordering } from '../ast/ast';
import { type Fragment, sql } from './fragment';

const operators: Record<Ordering | '=', Fragment> = {
  '=': sql`=`,
  '<': sql`<`,
  '>': sql`>`,
  '<=': sql`<=`,
  '>=': sql`>=`,
};

export const orderingSql = (operator: Ordering | '='): Fragment => operators[operator];
