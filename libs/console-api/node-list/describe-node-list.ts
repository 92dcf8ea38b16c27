import {
  anything,
  flag,
  inJson,
  inQuery,
  integer,
  integerBetween,
  list,
  mapOf,
  object,
  oneOfTexts,
  type Operation,
  orNull,
  text,
  time,
} from '#openapi';
import { choiceDescription } from '../http/describe-choice';
import { nodeStatuses } from '../nodes/node-status';
import { mostNodes } from './node-list-request';

export const describeNodeList: Operation = {
  id: 'getNodeList',
  tag: 'console',
  summary: 'A page of the list of nodes, with their status, selected facts and last runs',
  description: `\`runs\` contains one letter for each of the last 14 runs, the oldest first: f (failed), n (no-op), c (changed), u (unchanged). To get the next page, send the value of \`next\` as the parameter \`after\`. On the last page, \`next\` is null. Values of facts are shortened to 1,000 characters. \`complete\` is false if \`cause\` or \`failing_class\` chose the nodes and the fleet has more than 20,000 failures, so that nodes may be missing.`,
  parameters: [
    ...choiceDescription,
    inQuery('facts', 'A JSON list of at most 20 paths of facts: `["role","os.name"]`.'),
    inQuery(
      'order',
      'The sort order: certname (default), status (by severity), report_timestamp, environment, or `fact:` and the path of a fact. A `-` at the beginning reverses the order.',
    ),
    inQuery('after', 'The value of `next` on the previous page. The order must be the same.'),
    inQuery('limit', 'The maximum number of nodes on the page. Default: 100.', integerBetween(1, mostNodes)),
  ],
  refusals: [400, 413, 503],
  answers: {
    200: inJson(
      'The number of selected nodes, and one page of the list.',
      object({
        total: integer,
        complete: flag,
        nodes: list(
          object({
            certname: text(),
            status: oneOfTexts(nodeStatuses),
            environment: orNull(text()),
            report_timestamp: orNull(time),
            latest_report_hash: orNull(text()),
            noop_pending: flag,
            events: object({ failure: integer, success: integer, skipped: integer, noop: integer }),
            facts: mapOf(anything),
            runs: text(),
          }),
        ),
        next: orNull(text()),
      }),
    ),
  },
  examples: {
    worst: {
      summary: 'The worst nodes, with two facts',
      parameters: { order: '-status', facts: '["kernel","os.name"]', limit: 20 },
    },
  },
};
