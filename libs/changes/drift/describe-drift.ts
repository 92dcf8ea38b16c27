import {
  anything,
  inJson,
  inQuery,
  integer,
  integerBetween,
  list,
  object,
  type Operation,
  orNull,
  type Schema,
  text,
} from '#openapi';
import { valueChange } from '../describe-answers';
import { driftParts } from './drift-parts';
import { mostItems } from './drift-request';

const nodes = { nodes: integer, certnames: list(text()) };

const itemOf = (members: Readonly<Record<string, Schema>>): Schema =>
  object(
    {
      ...members,
      value: anything,
      nodes: integer,
      others: list(
        object({ value: anything, changes: list(valueChange), ...nodes }, { required: ['nodes', 'certnames'] }),
      ),
      others_left_out: integer,
      missing: orNull(object(nodes)),
    },
    { required: [...Object.keys(members), 'nodes', 'others', 'others_left_out', 'missing'] },
  );
const members: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  facts: { path: list({ anyOf: [text(), integer] }) },
  resources: { type: text(), title: text() },
  packages: { name: text(), provider: text() },
};
const eachPart = (schema: (own: Readonly<Record<string, Schema>>) => Schema): Readonly<Record<string, Schema>> =>
  Object.fromEntries(driftParts.map(({ name }) => [name, schema(members[name]!)]));

export const describeDrift: Operation = {
  id: 'getDrift',
  tag: 'changes',
  summary: 'Nodes that differ from most nodes of their group',
  description:
    'A group consists of the active nodes with the same value of a fact. `differing` lists the values that most nodes of a group share, and the nodes that have another value (`others`) or no value (`missing`). An item without `value` is an item that most nodes do not have. `equal` is the number of items that are equal on all nodes. The answer lists at most 20 nodes for each value, and cuts off values after 1,000 characters. The service does not compare volatile facts, and items with more than half as many values as nodes (`unique`), such as addresses and keys. `left_out` lists both.',
  parameters: [
    inQuery('by', 'The path of the fact that groups the nodes: `role`, `os.name`.', text(), { required: true }),
    inQuery('min_group', 'The smallest group. 3 if absent.', integerBetween(2, 100_000)),
    inQuery('majority', 'Percent of a group that must agree. 80 if absent.', integerBetween(51, 100)),
    inQuery(
      'part',
      `The parts to compare, with commas between them: ${driftParts.map(({ name }) => name).join(', ')}. All if absent.`,
    ),
    inQuery('query', 'A condition on the entity nodes in JSON form: `["~", "certname", "^web"]`.'),
    inQuery(
      'limit',
      'The largest number of items for each group and part. Items that most nodes have come first, then items that most nodes do not have. Among these, items in which more nodes differ come first. Default: 50.',
      integerBetween(1, mostItems),
    ),
  ],
  refusals: [400, 413, 503],
  answers: {
    200: inJson(
      'The groups, the largest first.',
      object({
        by: text(),
        groups: list(
          object(
            {
              value: anything,
              nodes: integer,
              ...eachPart((own) => object({ equal: integer, differing: list(itemOf(own)), left_out: integer })),
            },
            { required: ['value', 'nodes'] },
          ),
        ),
        groups_left_out: integer,
        left_out: object(
          {
            volatile: list(text()),
            ...eachPart((own) => object({ unique: list(object(own)), count: integer })),
          },
          { required: ['volatile'] },
        ),
      }),
    ),
  },
  examples: { role: { summary: 'Nodes that differ from others of their role', parameters: { by: 'role' } } },
};
