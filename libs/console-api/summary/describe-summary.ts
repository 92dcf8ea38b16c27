import { inJson, integer, list, object, type Operation, orNull, text, time } from '#openapi';
import { choiceDescription } from '../http/describe-choice';

export const describeSummary: Operation = {
  id: 'getSummary',
  tag: 'console',
  summary: 'The number of nodes with each status',
  description: `The counts include only active nodes. Each node has one status. If several apply, the first one of this list counts: unreported (no report for the time in \`unreported_after\`), failed, noop (the last run was no-op), changed, unchanged. The answer is at most one second old.`,
  parameters: choiceDescription,
  refusals: [400, 413, 503],
  answers: {
    200: inJson(
      'The counts.',
      object({
        at: time,
        total: integer,
        nodes: object({
          unchanged: integer,
          changed: integer,
          noop: integer,
          unreported: integer,
          failed: integer,
          noop_pending: integer,
        }),
        environments: list(object({ name: orNull(text()), nodes: integer })),
        day_before: object({ failed: integer }),
      }),
    ),
  },
  examples: {
    all: { summary: 'All nodes' },
    production: { summary: 'One environment', parameters: { where: '{"environment":["production"]}' } },
  },
};
