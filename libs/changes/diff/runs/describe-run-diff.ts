import { anything, type Describe, inQuery, list, object, orNull, text, time } from '#openapi';
import { valueChange } from '../../describe-answers';
import { formatParameter } from '../describe-diff';

const run = object({ certname: text(), report: text(), end_time: time });

export const describeRunDiff: Describe = ({ examples }) => ({
  operations: [
    {
      id: 'getRunDiff',
      tag: 'changes',
      summary: 'Differences between two runs of a node',
      description:
        'Compares a run with the run before it, or with another one: what the reports say of the runs, and the events of each property of a resource. `a` is the earlier run.',
      parameters: [
        inQuery('certname', 'The node.', text(), { required: true }),
        inQuery('report', 'The hash of the later report. The last run, if absent.'),
        inQuery('before', 'The hash of the earlier report. The run before the later one, if absent.'),
        formatParameter,
      ],
      refusals: [400, 404, 413, 503],
      answers: {
        200: {
          description: 'The differences.',
          content: {
            'application/json': object({
              a: run,
              b: run,
              report: list(valueChange),
              events: list(
                object(
                  {
                    change: text(),
                    resource_type: text(),
                    resource_title: text(),
                    property: orNull(text()),
                    old: anything,
                    new: anything,
                  },
                  { required: ['change', 'resource_type', 'resource_title', 'property'] },
                ),
              ),
            }),
            'application/json-patch+json': list(
              object({ op: text(), path: text(), value: true }, { required: ['op', 'path'] }),
            ),
            'text/plain': text(),
          },
        },
      },
      examples: {
        same: {
          summary: 'A report with itself',
          parameters: { certname: examples.certname, report: examples.report, before: examples.report },
        },
      },
    },
  ],
});
