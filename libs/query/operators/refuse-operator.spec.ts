/** Tests that the hint of a refusal names exactly the operators that the compiler accepts for the field. */
import { isFault } from '#fault';
import { operatorProbes } from '../../../test/support/operator-probes';
import { fromPlain } from '../ast/json';
import { compileQuery } from '../compile';
import { entities } from '../entities/registry';

const target = { schema: 'g', edition: 'full', dialect: 'neutral' } as const;
const options = { includeFactsExpiration: true, includePackageInventory: true };

/** Returns the hint if the compiler refuses the operator, or undefined if it accepts the query. */
function refusal(entity: string, query: unknown): string | undefined {
  try {
    compileQuery({ entity, ast: fromPlain(query), options }, target);
    return undefined;
  } catch (error) {
    if (isFault(error)) return error.hint ?? '';
    throw error;
  }
}

const fields = entities.flatMap(({ name, fields }) =>
  fields.filter(({ uses }) => uses?.includes('ask') !== false).map((field) => [name, field.name] as const),
);
const dotted = [['inventory', 'facts.os'] as const, ['resources', 'parameters.mode'] as const];

test.each([...fields, ...dotted])('%s.%s', (entity, field) => {
  const answers = operatorProbes.map(
    ([operator, values]) => [operator, values.map((value) => refusal(entity, [operator, field, value]))] as const,
  );
  const taken = answers.filter(([, refusals]) => refusals.includes(undefined)).map(([operator]) => operator);
  const named = answers
    .flatMap(([, hints]) => hints)
    .flatMap((hint) => /its operators are ([^.(]*[^.( ])/.exec(hint ?? '')?.[1] ?? []);
  const only = answers
    .flatMap(([, hints]) => hints)
    .filter((hint) => hint?.includes('no condition can name it') === true);
  expect(named.length + only.length).toBeGreaterThan(0);
  for (const operators of named) expect(operators.split(' ')).toEqual(taken);
  if (only.length > 0) expect(taken).toEqual([]);
});
