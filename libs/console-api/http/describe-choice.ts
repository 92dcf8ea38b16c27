import { inQuery, type Parameter } from '#openapi';
import { asOfParameter } from '#query';
import { nodeStatuses } from '../nodes/node-status';

export const choiceDescription: readonly Parameter[] = [
  inQuery(
    'where',
    `A JSON object of lists of values: \`{"status":["failed"],"environment":["production"],"fact:os.name":["Debian"]}\`. The answer is about nodes that have one of the listed values in each field. \`null\` selects nodes without a value. A status is one of ${nodeStatuses.join(', ')}.`,
  ),
  inQuery('text', 'A part of the certname. The search ignores upper and lower case.'),
  inQuery('query', 'A condition on the entity nodes in JSON form: `["~", "certname", "^web"]`.'),
  inQuery('cause', 'The `key` of a cause of failures. Selects the failed nodes whose latest run has this failure.'),
  inQuery(
    'failing_class',
    'Selects the failed nodes whose latest run has a failure in this class. An empty text selects failures without a class.',
  ),
  inQuery(
    'unreported_after',
    'A node has the status unreported if it has sent no report for this time. The time can be from 1m to 31d. Default: 2h.',
  ),
  asOfParameter,
];
