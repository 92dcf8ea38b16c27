/** The hint of a refusal names the operators that the compiler takes for the field, and no other. */
import { isFault } from '#fault';
import { fromPlain } from '../ast/json';
import { compileQuery } from '../compile';
import { entities } from '../entities/registry';

const target = { schema: 'g', edition: 'full', dialect: 'neutral' } as const;
const options = { includeFactsExpiration: true, includePackageInventory: true };

/** Values of every kind: a field has an operator if it takes one of them. */
const probes: Readonly<Record<string, readonly unknown[]>> = {
  '=': ['x', 1, true, '2026-01-01', ['x']],
  '!=': ['x', 1, true, '2026-01-01', ['x']],
  '<': [1, '2026-01-01'],
  '>': [1, '2026-01-01'],
  '<=': [1, '2026-01-01'],
  '>=': [1, '2026-01-01'],
  '~': ['x'],
  '~>': [['x']],
  'null?': [true],
  in: [
    ['array', ['x']],
    ['array', ['2026-01-01']],
    ['array', [['x']]],
  ],
};

/** The hint of a refusal because of the operator; undefined where it is taken. */
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
  const answers = Object.entries(probes).map(
    ([operator, values]) => [operator, values.map((value) => refusal(entity, [operator, field, value]))] as const,
  );
  const taken = answers.filter(([, refusals]) => refusals.includes(undefined)).map(([operator]) => operator);
  const named = answers
    .flatMap(([, hints]) => hints)
    .flatMap((hint) => /its operators are (.*) \(in PQL/.exec(hint ?? '')?.[1] ?? []);
  const only = answers
    .flatMap(([, hints]) => hints)
    .filter((hint) => hint?.includes('no condition can name it') === true);
  expect(named.length + only.length).toBeGreaterThan(0);
  for (const operators of named) expect(operators.split(' ')).toEqual(taken);
  if (only.length > 0) expect(taken).toEqual([]);
});
