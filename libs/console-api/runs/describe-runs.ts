import { integer, list, object, type Operation, text, time } from '#openapi';
import { asOfParameter } from '#query';

export const describeRuns: Operation = {
  id: 'getRuns',
  tag: 'console',
  summary: 'How many runs had which result, over time',
  description:
    '`marks` tell when the first run with a code_id was in an environment; `nodes` is the number of nodes whose catalog has this code_id now. Counts of the last hour are at most 2 seconds old, those of a day a minute, and earlier ones 10 minutes.',
  parameters: [
    {
      name: 'window',
      in: 'query',
      description: 'The time before now, or before the moment of `as_of`: 30m to 14d, 24h if absent.',
      schema: text(),
    },
    {
      name: 'step',
      in: 'query',
      description: 'The time of one count: a multiple of 30m up to 1d; 30m if absent.',
      schema: text(),
    },
    { name: 'environment', in: 'query', description: 'Counts the runs in this environment only.', schema: text() },
    asOfParameter,
  ],
  refusals: [400, 413, 503],
  answers: {
    200: {
      description: 'The counts, the oldest first.',
      content: {
        'application/json': object({
          step: integer,
          buckets: list(object({ at: time, failed: integer, noop: integer, changed: integer, unchanged: integer })),
          marks: list(object({ at: time, environment: text(), code_id: text(), nodes: integer })),
        }),
      },
    },
  },
  examples: { day: { summary: 'A day by half hours', parameters: { window: '24h', step: '30m' } } },
};
