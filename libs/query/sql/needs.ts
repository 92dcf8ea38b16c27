import type { Entity } from '../entities/entity';
import type { Plan, PlannedColumn } from '../plan/plan';
import { type Fragment, sql } from './fragment';

export class Needs {
  private readonly names = new Set<string>();

  constructor(private readonly plan: Plan) {}

  get entity(): Entity {
    return this.plan.entity;
  }

  add(names: readonly string[]): void {
    for (const name of names) {
      if (name === '') continue;
      this.add(this.plan.entity.joins[name]?.after ?? []);
      this.names.add(name);
    }
  }

  /** Returns FROM with the collected joins, in the order in which the entity declares them. */
  from(): Fragment {
    const { entity } = this.plan;
    const joins = Object.entries(entity.joins).filter(([name]) => this.names.has(name));
    return joins.reduce((text, [, one]) => sql`${text} ${one.sql}`, sql`FROM ${this.plan.from ?? entity.from}`);
  }
}

/** A column of a sub-query. `as` is the form in which the outer query compares it. */
export type ChosenColumn = { readonly column: PlannedColumn; readonly as: 'key' | 'value' | 'text' | 'jsonb' };
