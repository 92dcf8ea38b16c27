import type { Parameter } from '#openapi';
import { text } from '#openapi';
import { asOfParameter } from '#query';
import { nodeStatuses } from '../nodes/node-status';

export const choiceDescription: readonly Parameter[] = [
  {
    name: 'where',
    in: 'query',
    description: `A JSON object of lists of values: \`{"status":["failed"],"environment":["production"],"fact:os.name":["Debian"]}\`. The answer is about nodes that have one of the listed values in each field. \`null\` selects nodes without a value. A status is one of ${nodeStatuses.join(', ')}.`,
    schema: text(),
  },
  {
    name: 'text',
    in: 'query',
    description: 'A part of the certname. The search ignores upper and lower case.',
    schema: text(),
  },
  {
    name: 'query',
    in: 'query',
    description: 'A condition on the entity nodes in JSON form: `["~", "certname", "^web"]`.',
    schema: text(),
  },
  {
    name: 'cause',
    in: 'query',
    description: 'The `key` of a cause of failures. Selects the failed nodes whose latest run has this failure.',
    schema: text(),
  },
  {
    name: 'failing_class',
    in: 'query',
    description:
      'Selects the failed nodes whose latest run has a failure in this class. An empty text selects failures without a class.',
    schema: text(),
  },
  {
    name: 'unreported_after',
    in: 'query',
    description:
      'A node has the status unreported if it has sent no report for this time. The time can be from 1m to 31d. Default: 2h.',
    schema: text(),
  },
  asOfParameter,
];
