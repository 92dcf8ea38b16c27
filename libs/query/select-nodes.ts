import { defaultLimits } from '#limits';
import type { AstJson } from './ast/json';
import { checkSelection } from './ast/check-selection';
import { malformed } from './ast/malformed';
import { measureSelection } from './ast/measure-selection';
import { inQuery, jsonLocation } from './ast/source-location';
import { planSelection } from './plan/plan-selection';
import type { CompileTarget } from './plan/target';
import type { Fragment } from './sql/fragment';
import { selectColumns } from './sql/select';

/**
 * Selects the keys of the nodes that match a condition on `nodes`. Throws a fault `query.…` if the condition is
 * invalid.
 */
export function selectNodes(condition: AstJson, target: CompileTarget, activeOnly = true): Fragment {
  return inQuery(condition, jsonLocation, () => {
    const selection = checkSelection(condition, target.language);
    if (selection.columns !== undefined)
      throw malformed('shape', 'extract is not allowed here: the query is a condition on nodes');
    measureSelection(selection, target.limits ?? defaultLimits);
    const certname = { kind: 'field', field: { kind: 'name', name: 'certname' } } as const;
    const query = { ...selection, columns: [certname], entity: 'nodes', form: 'from' } as const;
    const plan = planSelection(query, { target, activeOnly });
    return selectColumns(plan, [{ column: plan.columns[0]!, as: 'key' }]);
  });
}
