import type { Condition, EntitySelection, FieldRef } from './ast';

/** What is directly inside a condition. */
interface ConditionParts {
  readonly conditions: readonly Condition[];
  /** The fields of the entity that the condition names itself. */
  readonly fields: readonly FieldRef[];
  readonly query?: EntitySelection;
}

const nothing: readonly never[] = [];

/** For walks over conditions, so that a new kind of condition has to be considered in one place only. */
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
