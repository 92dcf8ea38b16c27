import type { Condition, EntitySelection, FieldRef } from './ast';

/** The direct parts of a condition. */
interface ConditionParts {
  readonly conditions: readonly Condition[];
  /** Fields of the entity that the condition names directly. */
  readonly fields: readonly FieldRef[];
  readonly query?: EntitySelection;
}

const nothing: readonly never[] = [];

/**
 * Returns the direct parts of a condition. All walks over conditions use it, so a new kind of condition must be handled
 * only here.
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
