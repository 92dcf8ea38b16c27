import type { Parameter } from '#openapi';
import { text } from '#openapi';
import { asOfParameter } from '#query';
import { nodeStatuses } from '../nodes/node-status';

export const choiceDescription: readonly Parameter[] = [
  {
    name: 'where',
    in: 'query',
    description: `A JSON object of lists of values: \`{"status":["failed"],"environment":["production"],"fact:os.name":["Debian"]}\`. A node is chosen if it has one of the values of each field. \`null\` stands for nodes without a value. A status is ${nodeStatuses.join(', ')}.`,
    schema: text(),
  },
  { name: 'text', in: 'query', description: 'A part of the certname, in upper or lower case.', schema: text() },
  {
    name: 'query',
    in: 'query',
    description: 'A condition on the entity nodes in JSON form: `["~", "certname", "^web"]`.',
    schema: text(),
  },
  {
    name: 'unreported_after',
    in: 'query',
    description: 'After how long without a report the status of a node is unreported: 1m to 31d, 2h if absent.',
    schema: text(),
  },
  asOfParameter,
];
