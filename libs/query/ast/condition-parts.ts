import type { Condition, EntitySelection, FieldRef } from './ast';

interface ConditionParts {
  readonly conditions: readonly Condition[];
  /** Fields that the condition names directly, not in a sub-query. */
  readonly fields: readonly FieldRef[];
  readonly query?: EntitySelection;
}

const nothing: readonly never[] = [];

/**
 * All functions that walk over conditions use this function, so only this function needs a new case for a new kind of
 * condition.
 */
export function conditionParts(condition: Condition): ConditionParts {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { conditions: condition.members, fields: nothing };
    case 'not':
      return { conditions: [condition.member], fields: nothing };
    case 'test':
    case 'version':
      return { conditions: nothing, fields: [condition.field] };
    case 'in-array':
      return { conditions: nothing, fields: condition.fields };
    case 'in-query':
      return { conditions: nothing, fields: condition.fields, query: condition.query };
    case 'related':
      return { conditions: nothing, fields: nothing, query: condition.query };
  }
}
