import { fieldOperators } from '../../libs/query/operators/operators';

/** Values of every kind. A field has an operator if the operator accepts one of them. */
const values: readonly unknown[] = ['x', 1, true, '2026-01-01', ['x']];
const sets: readonly unknown[] = [['x'], ['2026-01-01'], [['x']]].map((set) => ['array', set]);

/** Every operator that compares a field, with values to test it, in the order of the table of operators. */
export const operatorProbes: readonly (readonly [operator: string, values: readonly unknown[]])[] = [
  ...fieldOperators.map(({ name }) => [name, values] as const),
  ['in', sets],
];
