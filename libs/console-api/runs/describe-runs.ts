import { inJson, inQuery, integer, list, object, type Operation, text, time } from '#openapi';
import { asOfParameter } from '#query';

export const describeRuns: Operation = {
  id: 'getRuns',
  tag: 'console',
  summary: 'The number of runs with each result, over time',
  description:
    '`marks` contains the time of the first run with each code_id in an environment. `nodes` is the current number of nodes whose catalog has this code_id. Counts of the last hour are at most 2 seconds old. Counts of the last day are at most a minute old, and older counts at most 10 minutes.',
  parameters: [
    inQuery(
      'window',
      'The length of the period, from 30m to 14d. The period ends now, or at the time of `as_of`. Default: 24h.',
    ),
    inQuery('step', 'The length of the interval for each count: a multiple of 30m, at most 1d. Default: 30m.'),
    inQuery('environment', 'Counts only the runs in this environment.'),
    asOfParameter,
  ],
  refusals: [400, 413, 503],
  answers: {
    200: inJson(
      'The counts, the oldest first.',
      object({
        step: integer,
        buckets: list(object({ at: time, failed: integer, noop: integer, changed: integer, unchanged: integer })),
        marks: list(object({ at: time, environment: text(), code_id: text(), nodes: integer })),
      }),
    ),
  },
  examples: { day: { summary: 'A day by half hours', parameters: { window: '24h', step: '30m' } } },
};
