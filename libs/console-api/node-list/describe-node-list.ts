import { anything, flag, integer, list, mapOf, object, oneOfTexts, type Operation, orNull, text, time } from '#openapi';
import { choiceDescription } from '../http/describe-choice';
import { nodeStatuses } from '../nodes/node-status';
import { mostNodes } from './node-list-request';

export const describeNodeList: Operation = {
  id: 'getNodeList',
  tag: 'console',
  summary: 'A page of the nodes, with their status, chosen facts and last runs',
  description: `\`runs\` has a letter for each of the last 14 runs, the oldest first: f failed, n no-op, c changed, u unchanged. \`next\` is the parameter \`after\` for the next page, or null. Values of facts with more than 1,000 characters are cut off.`,
  parameters: [
    ...choiceDescription,
    {
      name: 'facts',
      in: 'query',
      description: 'A JSON list of at most 20 paths of facts: `["role","os.name"]`.',
      schema: text(),
    },
    {
      name: 'order',
      in: 'query',
      description:
        'certname (if absent), status (by severity), report_timestamp, environment, or `fact:` and a path. With `-` before it, descending.',
      schema: text(),
    },
    { name: 'after', in: 'query', description: '`next` of the page before, with the same order.', schema: text() },
    {
      name: 'limit',
      in: 'query',
      description: 'The number of nodes. 100 if absent.',
      schema: { type: 'integer', minimum: 1, maximum: mostNodes },
    },
  ],
  refusals: [400, 413, 503],
  answers: {
    200: {
      description: 'The number of chosen nodes, and a page of them.',
      content: {
        'application/json': object({
          total: integer,
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
      },
    },
  },
  examples: {
    worst: {
      summary: 'The worst nodes, with two facts',
      parameters: { order: '-status', facts: '["kernel","os.name"]', limit: 20 },
    },
  },
};
